package dev.heddle.persistence.rdb;

import dev.heddle.command.Engine;
import dev.heddle.command.config.Settings;
import dev.heddle.persistence.snapshot.Chunk;
import dev.heddle.store.base.Crc64;
import dev.heddle.store.value.Value;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One value as DUMP answers it: its type, the value as in a snapshot, two bytes with the version of the format and eight with the checksum of
 * all before, low bytes first. Stateless; the lock of the value's stripe must be held.
 */
final class DumpPayload {

    private static final int VERSION_BYTES = 2;
    static final int FOOTER_BYTES = VERSION_BYTES + Long.BYTES;
    private static final int SMALLEST_CHUNK = 64;
    private static final int LARGEST_FIRST_CHUNK = 1 << 20;

    private DumpPayload() {}

    static byte[] of(Object value, Settings settings) {
        long size = estimate(value);
        LzfEncoder lzf = settings.persistence.rdbCompression.value() ? new LzfEncoder(size) : null;
        Chunk chunk = new Chunk(0, (int) Math.min(SMALLEST_CHUNK + size, LARGEST_FIRST_CHUNK));
        RdbOutput out = new RdbOutput(chunk, lzf);
        ValueWriter writer = new ValueWriter(settings.encoding.listMaxListpackSize.value(), false);
        out.oneByte(writer.type(value).number);
        writer.write(value, out);
        close(out, chunk, writer.version(value));
        return Arrays.copyOf(chunk.array(), chunk.size());
    }

    /** Appends the version and the checksum. */
    static void close(RdbOutput out, Chunk chunk, int version) {
        out.littleEndian(version, VERSION_BYTES);
        out.littleEndian(Crc64.update(0, chunk.array(), 0, chunk.size()), Long.BYTES);
    }

    private static long estimate(Object value) {
        return value instanceof byte[] bytes ? bytes.length : value instanceof Value other ? other.bytes() : 0;
    }

    /** Whether the checksum is right and the version one that is known here. */
    static boolean isValid(byte[] array, int offset, int length) {
        if (length < FOOTER_BYTES) {
            return false;
        }
        int footer = offset + length - FOOTER_BYTES;
        long version = littleEndian(array, footer, VERSION_BYTES);
        long checksum = littleEndian(array, footer + VERSION_BYTES, Long.BYTES);
        return version <= RdbReader.NEWEST_VERSION && Crc64.update(0, array, offset, length - Long.BYTES) == checksum;
    }

    private static long littleEndian(byte[] array, int at, int bytes) {
        long value = 0;
        for (int i = 0; i < bytes; i++) {
            value |= (array[at + i] & 0xffL) << 8 * i;
        }
        return value;
    }

    /** The value of a payload that {@link #isValid}; null if it cannot be made, for it is damaged or of a kind that is not known here. */
    static @Nullable Object read(byte[] array, int offset, int length, Engine engine) {
        RdbInput in = new RdbInput(array, offset, length - FOOTER_BYTES);
        try {
            return new ValueReader(engine.settings().encoding, engine.random()).read(in.unsignedByte(), in);
        } catch (IOException damaged) {
            return null;
        }
    }
}
