package dev.heddle.persistence.rdb;

import dev.heddle.persistence.rdb.RdbSink.Usage;
import dev.heddle.store.Entry;
import dev.heddle.store.value.StreamValue;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Reads a snapshot from its first byte to its checksum. Confined to one thread. */
final class RdbReader {

    /*
     * A file is the word REDIS with four digits, then a sequence of things that a first byte tells apart, and at the end a byte that says
     * so with the checksum of all before it. What stands before a key (when it expires, how much it was used) is about the
     * next one only. Of what is not known here nothing can be passed over, for only who knows it can tell how long it is.
     */

    /** The newest version whose forms are known here, that of Redis 7.4; Valkey 8 writes 11. */
    static final int NEWEST_VERSION = 12;

    private static final int CHECKSUM_SINCE = 5;
    private static final int HEADER_BYTES = 9;

    private static final int SLOT_INFO = 244;
    static final int FUNCTION = 245;
    private static final int EARLY_FUNCTION = 246;
    private static final int MODULE_AUX = 247;
    private static final int IDLE = 248;
    private static final int FREQUENCY = 249;
    private static final int AUX = 250;
    private static final int RESIZE = 251;
    private static final int EXPIRES_MILLIS = 252;
    private static final int EXPIRES_SECONDS = 253;
    private static final int SELECT = 254;
    private static final int END = 255;

    /** Between two reports of progress. */
    private static final int REPORT_BYTES = 1 << 20;

    private final RdbInput in;
    private final ValueReader values;
    private final RdbSink sink;
    private final boolean checks;

    private int database;
    private long expireAt = Entry.NEVER;
    private Usage usage = Usage.UNKNOWN;
    /** When consumers of the stream that comes next were active, if that has been said. */
    private byte @Nullable [] activity;

    private long reported;

    private RdbReader(RdbInput in, ValueReader values, RdbSink sink, boolean checks) {
        this.in = in;
        this.values = values;
        this.sink = sink;
        this.checks = checks;
    }

    /**
     * Reads the snapshot with which a file begins.
     *
     * @param checks whether the checksum is compared, if there is one
     * @return where in the file it ends
     * @throws RdbException if it is damaged or holds what is not known here
     */
    static long read(Path file, ValueReader values, RdbSink sink, boolean checks) throws IOException {
        long size = Files.size(file);
        try (InputStream stream = Files.newInputStream(file)) {
            return read(new RdbInput(stream, size), values, sink, checks);
        }
    }

    /** As {@link #read(Path, ValueReader, RdbSink, boolean)}, from any input. */
    static long read(RdbInput in, ValueReader values, RdbSink sink, boolean checks) throws IOException {
        return new RdbReader(in, values, sink, checks).read();
    }

    private long read() throws IOException {
        int version = header();
        if (!checks) {
            in.withoutChecksum();
        }
        while (true) {
            int what = in.unsignedByte();
            if (what == END) {
                checkSum(version);
                return in.offset();
            }
            if (what >= SLOT_INFO) {
                mark(what);
            } else {
                entry(what);
            }
            if (in.offset() - reported >= REPORT_BYTES) {
                reported = in.offset();
                sink.progress(reported);
            }
        }
    }

    private int header() throws IOException {
        long there = Math.min(HEADER_BYTES, in.remaining());
        String header = new String(in.bytes(there), StandardCharsets.ISO_8859_1);
        if (!header.matches("REDIS[0-9]{4}")) {
            throw in.error("this is not a snapshot of Redis: it does not begin with REDIS and a version");
        }
        int version = Integer.parseInt(header.substring(5));
        if (version < 1 || version > NEWEST_VERSION) {
            throw in.error(
                    "version " + version + " of the snapshot format is not known here, only up to " + NEWEST_VERSION);
        }
        return version;
    }

    private void checkSum(int version) throws IOException {
        if (version < CHECKSUM_SINCE) {
            // Else a damaged digit of the version would make the checksum go unnoticed. Nothing was ever appended to so
            // old a file.
            if (in.remaining() > 0) {
                throw in.error("a file of version " + version + " ends here, but this one goes on");
            }
            return;
        }
        long computed = in.checksum();
        long written = in.littleEndian(8);
        if (checks && written != 0 && written != computed) {
            throw in.error(
                    String.format("the checksum is wrong: %016x is written, %016x was computed", written, computed));
        }
    }

    private void mark(int what) throws IOException {
        switch (what) {
            case SELECT -> database = database();
            case RESIZE -> {
                in.length(); // how many keys the database has, and how many of them expire: tables grow by
                // themselves here
                in.length();
            }
            case AUX -> property(in.string(), in.string());
            case EXPIRES_MILLIS -> expireAt = time(in.littleEndian(8));
            case EXPIRES_SECONDS -> expireAt = time(1000L * (int) in.littleEndian(4));
            case IDLE -> usage = new Usage(in.length(), usage.frequency());
            case FREQUENCY -> usage = new Usage(usage.idleSeconds(), in.unsignedByte());
            case FUNCTION -> function(in.string());
            case SLOT_INFO -> {
                in.length(); // the slot of a cluster, how many keys it has and how many of them expire: there is
                // no cluster here
                in.length();
                in.length();
            }
            case EARLY_FUNCTION -> throw in.error("functions as release candidates of Redis 7.0 wrote them");
            case MODULE_AUX ->
                throw in.error("data of the module " + in.moduleName() + ", and there are no modules here");
            default -> throw in.error("an unknown mark: " + what);
        }
    }

    private void property(byte[] name, byte[] value) {
        if (StreamForm.ACTIVITY.equals(new String(name, StandardCharsets.ISO_8859_1))) {
            activity = value;
        } else {
            sink.property(name, value);
        }
    }

    private int database() throws IOException {
        long number = in.length();
        if (number > Integer.MAX_VALUE) {
            throw in.error("database " + number + " cannot be");
        }
        return (int) number;
    }

    private long time(long millis) throws RdbException {
        if (millis < 0) {
            throw in.error("a time before 1970");
        }
        return millis;
    }

    private void entry(int type) throws IOException {
        byte[] key = in.string();
        Object value = values.read(type, in);
        byte[] times = activity;
        if (times != null && value instanceof StreamValue stream) {
            StreamForm.activity(stream, times);
        }
        activity = null;
        if (value == null) {
            sink.empty(database, key);
        } else {
            put(key, value);
        }
        expireAt = Entry.NEVER;
        usage = Usage.UNKNOWN;
    }

    private void function(byte[] source) throws IOException {
        try {
            sink.function(source);
        } catch (RdbException refused) {
            throw in.error(String.valueOf(refused.getMessage()));
        }
    }

    private void put(byte[] key, Object value) throws IOException {
        try {
            sink.entry(database, key, value, expireAt, usage);
        } catch (RdbException refused) {
            throw in.error(String.valueOf(refused.getMessage()));
        }
    }
}
