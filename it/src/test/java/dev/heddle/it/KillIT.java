package dev.heddle.it;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/**
 * Kill campaigns short enough for every build; {@code it/kill-campaign} runs long ones. The numbers of kills can be set with the system
 * properties {@code kills.always} and {@code kills.everysec}.
 */
class KillIT {

    private static final long SEED = System.nanoTime();

    @Test
    void withAlwaysNothingAcknowledgedIsMissing() {
        assertThat(campaign("always", 14).run()).as("seed %d", SEED).isEmpty();
    }

    @Test
    void withEverysecAtMostTwoSecondsAreMissing() {
        assertThat(campaign("everysec", 8).run()).as("seed %d", SEED).isEmpty();
    }

    private static KillCampaign campaign(String policy, int kills) {
        return new KillCampaign(policy, Integer.getInteger("kills." + policy, kills), 12, SEED);
    }
}
