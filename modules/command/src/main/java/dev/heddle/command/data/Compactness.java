package dev.heddle.command.data;

import dev.heddle.command.Call;
import dev.heddle.command.config.EncodingSettings;
import dev.heddle.store.value.CompactLimits;

/** The settings for how long sets and hashes stay compact, as they are at this moment. Stateless. */
final class Compactness {

    private Compactness() {}

    static CompactLimits ofSets(Call call) {
        EncodingSettings settings = call.engine().settings().encoding;
        return new CompactLimits(
                settings.setMaxIntsetEntries.value(),
                settings.setMaxListpackEntries.value(),
                settings.setMaxListpackValue.value());
    }

    static CompactLimits ofHashes(Call call) {
        EncodingSettings settings = call.engine().settings().encoding;
        return new CompactLimits(0, settings.hashMaxListpackEntries.value(), settings.hashMaxListpackValue.value());
    }
}
