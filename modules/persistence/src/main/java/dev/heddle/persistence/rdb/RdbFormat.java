package dev.heddle.persistence.rdb;

import dev.heddle.command.Engine;
import dev.heddle.command.ScriptHost;
import dev.heddle.command.config.EvictionPolicy;
import dev.heddle.command.config.Settings;
import dev.heddle.persistence.snapshot.Chunk;
import dev.heddle.persistence.snapshot.SnapshotFormat;
import dev.heddle.resp.Numbers;
import dev.heddle.store.AccessClock;
import dev.heddle.store.Entry;
import dev.heddle.store.Partition;
import dev.heddle.store.Store;
import dev.heddle.store.base.Crc64;
import dev.heddle.store.value.StreamValue;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Redis's snapshot files (RDB), in the lowest version that holds the data, which redis-server 7.0 and all later ones read: see
 * docs/adr/0006-rdb-and-dump.md.
 *
 * <p>One object per file. Thread-safe in the way that {@link SnapshotFormat} asks for: what is not immutable is set at the snapshot's
 * moment, before other threads see it, or used by the one thread that compresses.
 */
public final class RdbFormat implements SnapshotFormat {

    /** The version of Redis that we behave like; tools show it. */
    private static final String REDIS_VERSION = "7.2.4";

    private static final int IDLE = 0xf8;
    private static final int FREQUENCY = 0xf9;
    private static final int AUX = 0xfa;
    private static final int RESIZE_DB = 0xfb;
    private static final int EXPIRE_MILLISECONDS = 0xfc;
    private static final int SELECT_DB = 0xfe;
    private static final int END = 0xff;

    /** Enough for the table of the encoder to be as large as it gets. */
    private static final int LARGE = 1 << 16;

    private final ValueWriter values;
    private final @Nullable LzfEncoder lzf; // confined to the thread that compresses
    private final boolean checksums;
    private final boolean idleTimes;
    private final boolean frequencies;
    private final int decayMinutes;
    private final boolean journalBase;
    private final long usedMemory;
    private final long now;

    private int version = ValueWriter.VERSION; // written at the moment, before the file's thread starts

    private final ScriptHost scripts;
    /** The sources of libraries of functions at the moment of the snapshot. */
    private List<byte[]> libraries = List.of();

    private RdbFormat(RdbFormat other) {
        this.values = other.values;
        this.lzf = other.lzf == null ? null : new LzfEncoder(LARGE);
        this.checksums = other.checksums;
        this.idleTimes = other.idleTimes;
        this.frequencies = other.frequencies;
        this.decayMinutes = other.decayMinutes;
        this.journalBase = other.journalBase;
        this.usedMemory = other.usedMemory;
        this.now = other.now;
        this.scripts = other.scripts;
    }

    private RdbFormat(Settings settings, ScriptHost scripts, boolean journalBase, long usedMemory, long now) {
        this.scripts = scripts;
        this.values = new ValueWriter(settings.encoding.listMaxListpackSize.value(), true);
        this.lzf = settings.persistence.rdbCompression.value() ? new LzfEncoder(LARGE) : null;
        this.checksums = settings.persistence.rdbChecksum.value();
        EvictionPolicy policy = settings.memory.maxMemoryPolicy.value();
        this.idleTimes = policy == EvictionPolicy.VOLATILE_LRU || policy == EvictionPolicy.ALLKEYS_LRU;
        this.frequencies = policy == EvictionPolicy.VOLATILE_LFU || policy == EvictionPolicy.ALLKEYS_LFU;
        this.decayMinutes = settings.memory.lfuDecayTime.value();
        this.journalBase = journalBase;
        this.usedMemory = usedMemory;
        this.now = now;
    }

    /**
     * The format for one file, by what the settings say now.
     *
     * @param journalBase whether this is the beginning of an append-only file
     */
    public static RdbFormat create(Engine engine, boolean journalBase) {
        return new RdbFormat(
                engine.settings(),
                engine.scripts(),
                journalBase,
                engine.memory().counted(),
                engine.clock().millis());
    }

    /**
     * The header comes first, so that the version must be known before the data is seen. Only deadlines of fields need a higher
     * one, and how many hashes have such is known at the moment.
     */
    @Override
    public void begin(Store store) {
        libraries = scripts.librarySources();
        for (int stripe = 0; stripe < store.stripeCount(); stripe++) {
            for (int database = 0; database < store.databases(); database++) {
                Partition partition = store.stripe(stripe).partition(database);
                if (partition != null && partition.expiringHashes() > 0) {
                    version = ValueWriter.VERSION_WITH_DEADLINES;
                    return;
                }
            }
        }
    }

    @Override
    public RdbFormat forAnotherThread() {
        return new RdbFormat(this);
    }

    @Override
    public void header(Chunk to) {
        to.ascii(String.format(Locale.ROOT, "REDIS%04d", version));
        RdbOutput out = new RdbOutput(to, null);
        aux(out, "redis-ver", ascii(REDIS_VERSION));
        aux(out, "redis-bits", Numbers.toBytes(Long.SIZE));
        aux(out, "ctime", Numbers.toBytes(now / 1000));
        aux(out, "used-mem", Numbers.toBytes(usedMemory));
        aux(out, "aof-base", Numbers.toBytes(journalBase ? 1 : 0));
        for (byte[] source : libraries) {
            out.oneByte(RdbReader.FUNCTION);
            out.string(source);
        }
    }

    private static void aux(RdbOutput out, String name, byte[] value) {
        out.oneByte(AUX);
        out.string(ascii(name));
        out.string(value);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public void database(int index, long keys, long expiring, Chunk to) {
        RdbOutput out = new RdbOutput(to, null);
        out.oneByte(SELECT_DB);
        out.length(index);
        if (keys > 0) {
            out.oneByte(RESIZE_DB);
            out.length(keys);
            out.length(expiring);
        }
    }

    @Override
    public void entry(Item item, boolean thoroughly, Chunk to) {
        RdbOutput out = new RdbOutput(to, thoroughly ? lzf : null);
        if (item.value() instanceof StreamValue stream && StreamForm.hasActivity(stream)) {
            aux(out, StreamForm.ACTIVITY, StreamForm.activity(stream));
        }
        if (item.expireAt() != Entry.NEVER) {
            out.oneByte(EXPIRE_MILLISECONDS);
            out.littleEndian(item.expireAt(), Long.BYTES);
        }
        if (idleTimes) {
            out.oneByte(IDLE);
            out.length(AccessClock.idleSeconds(item.access(), now));
        }
        if (frequencies) {
            out.oneByte(FREQUENCY);
            out.oneByte(AccessClock.counter(item.access(), now, decayMinutes));
        }
        out.oneByte(values.type(item.value()).number);
        out.string(item.key());
        values.write(item.value(), out);
    }

    @Override
    public void end(Chunk to, long checksum) {
        to.write(END);
        long all = checksum(checksum, new byte[] {(byte) END}, 0, 1);
        new RdbOutput(to, null).littleEndian(all, Long.BYTES);
    }

    /** Stays 0 if no checksum is wanted. */
    @Override
    public long checksum(long soFar, byte[] bytes, int offset, int length) {
        return checksums ? Crc64.update(soFar, bytes, offset, length) : 0;
    }
}
