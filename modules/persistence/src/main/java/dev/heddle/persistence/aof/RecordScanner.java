package dev.heddle.persistence.aof;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * Reads an append-only file record by record without running anything, and tells exactly where it stops making sense, and how.
 *
 * <p>Confined to one thread.
 */
final class RecordScanner implements Closeable {

    /*
     * Where a file stops making sense, two things can be the case. Either it simply ends there, in the middle of a record, or with zero
     * bytes that the file system left where data should have been: a torn tail, the usual trace of a crash; what it lacks was never
     * acknowledged under appendfsync always. Or other bytes follow: then something has damaged the file, and what is behind the
     * damage may well have been acknowledged. The first may be cut off, the second is for a person to decide.
     */

    /** What {@link #next} has met. */
    enum Kind {
        COMMAND,
        /** A line that begins with #. */
        ANNOTATION,
        /** The file ends between two records. */
        END,
        /** The file ends within a record, or goes on with nothing but zero bytes. */
        TORN,
        /** Other bytes than a record are here. */
        CORRUPT
    }

    private static final int BUFFER = 256 * 1024;
    /** Bytes of a command's name that are looked at. */
    private static final int LONGEST_NAME = 16;

    private static final int LONGEST_ANNOTATION = 1024;

    private final FileChannel channel;
    private final byte[] buffer = new byte[BUFFER];
    private int at;
    private int filled;
    /** Where in the file the buffer begins. */
    private long bufferStart;

    private long recordStart;
    private String word = "";
    private @Nullable String reason;

    private RecordScanner(FileChannel channel, long from) {
        this.channel = channel;
        this.bufferStart = from;
        this.recordStart = from;
    }

    /** Begins at a place in a file where a record should be. */
    static RecordScanner open(Path file, long from) throws IOException {
        FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
        try {
            channel.position(from);
            return new RecordScanner(channel, from);
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    /** Where the record that {@link #next} has met begins. */
    long recordStart() {
        return recordStart;
    }

    /** Where reading has stopped: behind a record, or where it goes wrong. */
    long position() {
        return bufferStart + at;
    }

    /** Whether the command has this name, in upper case. */
    boolean is(String name) {
        return word.equalsIgnoreCase(name);
    }

    /** The seconds that an annotation tells, -1 if it tells something else. */
    long timestamp() {
        return word.matches("#TS:[0-9]{1,18}") ? Long.parseLong(word.substring(4)) : -1;
    }

    /** What is wrong, after {@link Kind#CORRUPT}. */
    String reason() {
        return String.valueOf(reason);
    }

    /** Reads one record. After anything but a command or an annotation there is nothing more to read. */
    Kind next() throws IOException {
        recordStart = position();
        word = "";
        try {
            if (!more()) {
                return Kind.END;
            }
            if (buffer[at] == '#') {
                annotation();
                return Kind.ANNOTATION;
            }
            command();
            return Kind.COMMAND;
        } catch (Torn end) {
            return Kind.TORN;
        } catch (Mismatch mismatch) {
            reason = mismatch.getMessage();
            return onlyZerosFollow() ? Kind.TORN : Kind.CORRUPT;
        }
    }

    private void command() throws IOException, Torn, Mismatch {
        expect('*', "'*', the beginning of a command");
        long count = number("the number of arguments");
        if (count < 1) {
            throw new Mismatch("a command without arguments");
        }
        for (long i = 0; i < count; i++) {
            expect('$', "'$', the beginning of argument " + (i + 1) + " of " + count);
            long length = number("the length of an argument");
            if (i == 0 && length <= LONGEST_NAME) {
                word = text((int) length);
            } else {
                skip(length);
            }
            expect('\r', "the end of an argument of " + length + " bytes");
            expect('\n', "the end of an argument of " + length + " bytes");
        }
    }

    private void annotation() throws IOException, Torn, Mismatch {
        StringBuilder line = new StringBuilder();
        while (peek() != '\r' && peek() != '\n') {
            line.append((char) (peek() & 0xff));
            at++;
            if (line.length() > LONGEST_ANNOTATION) {
                throw new Mismatch("an annotation without an end");
            }
        }
        if (peek() == '\r') {
            at++;
        }
        expect('\n', "the end of an annotation");
        word = line.toString();
    }

    private long number(String what) throws IOException, Torn, Mismatch {
        long number = 0;
        int digits = 0;
        while (peek() >= '0' && peek() <= '9') {
            number = number * 10 + (peek() - '0');
            at++;
            digits++;
            if (number > Integer.MAX_VALUE) {
                throw new Mismatch(what + " is too large");
            }
        }
        if (digits == 0) {
            throw new Mismatch(what + " is missing");
        }
        expect('\r', "the end of the line behind " + what);
        expect('\n', "the end of the line behind " + what);
        return number;
    }

    private String text(int length) throws IOException, Torn {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = peek();
            at++;
        }
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    private void skip(long length) throws IOException, Torn {
        long left = length;
        while (left > 0) {
            if (!more()) {
                throw new Torn();
            }
            int part = (int) Math.min(left, filled - at);
            at += part;
            left -= part;
        }
    }

    private void expect(char wanted, String what) throws IOException, Torn, Mismatch {
        byte found = peek();
        if (found != wanted) {
            throw new Mismatch("expected " + what + ", found byte 0x" + String.format("%02x", found & 0xff));
        }
        at++;
    }

    private byte peek() throws IOException, Torn {
        if (!more()) {
            throw new Torn();
        }
        return buffer[at];
    }

    /** Whether there is a byte to look at. */
    private boolean more() throws IOException {
        if (at < filled) {
            return true;
        }
        bufferStart += filled;
        at = 0;
        filled = Math.max(0, channel.read(ByteBuffer.wrap(buffer)));
        return filled > 0;
    }

    private boolean onlyZerosFollow() throws IOException {
        long stopped = position();
        boolean zeros = true;
        while (zeros && more()) {
            zeros = buffer[at] == 0;
            at++;
        }
        at = 0;
        filled = 0;
        bufferStart = stopped;
        return zeros;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    /** The file ends too early. */
    private static final class Torn extends Exception {
        private static final long serialVersionUID = 1;

        Torn() {
            super("", null, false, false);
        }
    }

    /** There is something else than there should be. */
    private static final class Mismatch extends Exception {
        private static final long serialVersionUID = 1;

        Mismatch(String reason) {
            super(reason, null, false, false);
        }
    }
}
