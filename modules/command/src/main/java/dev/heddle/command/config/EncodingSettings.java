package dev.heddle.command.config;

import static dev.heddle.command.config.Row.accepted;
import static dev.heddle.command.config.Row.active;

/** Up to which size values keep their compact form. Thread-safe, as its settings are. */
public final class EncodingSettings {

    /** Positive: elements of a list's node; -1 to -5: its bytes, 4 kb to 64 kb. */
    public final Setting<Integer> listMaxListpackSize;

    /** Fields of a compact hash. */
    public final Setting<Long> hashMaxListpackEntries;

    /** Longest field or value of a compact hash in bytes. */
    public final Setting<Long> hashMaxListpackValue;

    /** Members of a set of integers. */
    public final Setting<Long> setMaxIntsetEntries;

    /** Members of a compact set. */
    public final Setting<Long> setMaxListpackEntries;

    /** Longest member of a compact set in bytes. */
    public final Setting<Long> setMaxListpackValue;

    /** Members of a compact sorted set. */
    public final Setting<Long> zsetMaxListpackEntries;

    /** Longest member of a compact sorted set in bytes. */
    public final Setting<Long> zsetMaxListpackValue;

    /** Largest sparse HyperLogLog in bytes. */
    public final Setting<Long> hllSparseMaxBytes;

    /** Bytes of a stream's node, 0 for no limit. */
    public final Setting<Long> streamNodeMaxBytes;

    /** Entries of a stream's node, 0 for no limit. */
    public final Setting<Long> streamNodeMaxEntries;

    EncodingSettings(Catalogue rows) {
        listMaxListpackSize = rows.integer(
                active("list-max-listpack-size").alias("list-max-ziplist-size"),
                -2,
                Integer.MIN_VALUE,
                Integer.MAX_VALUE);
        rows.integer(accepted("list-compress-depth"), 0, 0, Integer.MAX_VALUE);
        hashMaxListpackEntries =
                count(rows, active("hash-max-listpack-entries").alias("hash-max-ziplist-entries"), 512);
        hashMaxListpackValue = rows.memory(active("hash-max-listpack-value").alias("hash-max-ziplist-value"), 64, 0);
        setMaxIntsetEntries = count(rows, active("set-max-intset-entries"), 512);
        setMaxListpackEntries = count(rows, active("set-max-listpack-entries"), 128);
        setMaxListpackValue = count(rows, active("set-max-listpack-value"), 64);
        zsetMaxListpackEntries =
                count(rows, active("zset-max-listpack-entries").alias("zset-max-ziplist-entries"), 128);
        zsetMaxListpackValue = rows.memory(active("zset-max-listpack-value").alias("zset-max-ziplist-value"), 64, 0);
        hllSparseMaxBytes = rows.memory(active("hll-sparse-max-bytes"), 3000, 0);
        streamNodeMaxBytes = rows.memory(active("stream-node-max-bytes"), 4096, 0);
        streamNodeMaxEntries = count(rows, active("stream-node-max-entries"), 100);
    }

    private static Setting<Long> count(Catalogue rows, Row row, long initial) {
        return rows.number(row, initial, 0, Long.MAX_VALUE);
    }
}
