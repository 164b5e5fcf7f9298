package dev.heddle.command;

import java.util.random.RandomGenerator;

/**
 * Who this server process is.
 *
 * <p>Thread-safe.
 */
public final class ServerInfo {

    /** The Redis version whose behaviour this server has, as clients check it. */
    public static final String REDIS_VERSION = "7.2.4";

    private static final String VERSION = versionOfModule();

    private final long startedMillis;
    private final String runId;
    private final RandomGenerator random;
    private volatile String replicationId;

    ServerInfo(long startedMillis, RandomGenerator random) {
        this.startedMillis = startedMillis;
        this.runId = randomHex(random, 40);
        this.random = random;
        this.replicationId = randomHex(random, 40);
    }

    /** Our own version. */
    public static String version() {
        return VERSION;
    }

    public long startedMillis() {
        return startedMillis;
    }

    /** Forty hexadecimal digits, others at each start. */
    public String runId() {
        return runId;
    }

    /** Forty hexadecimal digits by which a replica would know this history of data. */
    public String replicationId() {
        return replicationId;
    }

    /** DEBUG CHANGE-REPL-ID. */
    public void renewReplicationId() {
        replicationId = randomHex(random, 40);
    }

    private static String versionOfModule() {
        String version = ServerInfo.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }

    private static String randomHex(RandomGenerator random, int digits) {
        StringBuilder hex = new StringBuilder(digits);
        while (hex.length() < digits) {
            hex.append(Character.forDigit(random.nextInt(16), 16));
        }
        return hex.toString();
    }
}
