package dev.heddle.persistence.rdb;

import dev.heddle.command.config.Settings;
import dev.heddle.store.Entry;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;

/** The tool {@code heddle check-rdb}: tells whether a snapshot can be read, and what it holds, as redis-check-rdb does. Confined to one thread. */
public final class CheckRdb {

    private static final int GOOD = 0;
    private static final int BAD = 1;

    private final PrintStream out;

    public CheckRdb(PrintStream out) {
        this.out = out;
    }

    /** How to call it, line by line. */
    public static List<String> usage() {
        return List.of(
                "Usage: heddle check-rdb FILE",
                "",
                "FILE is a snapshot. Tells what it holds, or where it stops making sense.");
    }

    /**
     * Runs the tool.
     *
     * @param arguments those behind {@code check-rdb}
     * @return the exit code: 0 if the file is good, 1 if not
     */
    public int run(List<String> arguments) {
        if (arguments.size() != 1 || arguments.getFirst().startsWith("-")) {
            usage().forEach(out::println);
            return BAD;
        }
        Path file = Path.of(arguments.getFirst());
        out.println("Checking RDB file " + file);
        Counts counts = new Counts(out);
        try {
            long end = read(file, counts);
            counts.print();
            if (end != Files.size(file)) {
                out.println("The file goes on behind its end, at offset " + end);
                return BAD;
            }
            out.println("\\o/ RDB looks OK! \\o/");
            return GOOD;
        } catch (IOException e) {
            counts.print();
            out.println("The file is not good: " + (e instanceof RdbException ? e.getMessage() : e));
            return BAD;
        }
    }

    /** Where the snapshot ends with which a file begins. */
    static long end(Path file) throws IOException {
        return read(file, new Counts(new PrintStream(OutputStream.nullOutputStream())));
    }

    private static long read(Path file, Counts counts) throws IOException {
        ValueReader values = new ValueReader(new Settings().encoding, new SplittableRandom());
        return RdbReader.read(file, values, counts, true);
    }

    /** Counts what a snapshot holds, and prints what it says of itself. Confined to one thread. */
    private static final class Counts implements RdbSink {

        private final PrintStream out;
        private final long now = System.currentTimeMillis();
        private long keys;
        private long expiring;
        private long expired;
        private long functions;
        private long empty;

        Counts(PrintStream out) {
            this.out = out;
        }

        @Override
        public void property(byte[] name, byte[] value) {
            out.println("AUX FIELD " + printable(name) + " = '" + printable(value) + "'");
        }

        @Override
        public void entry(int database, byte[] key, Object value, long expireAt, Usage usage) {
            keys++;
            if (expireAt != Entry.NEVER) {
                expiring++;
                expired += expireAt <= now ? 1 : 0;
            }
        }

        @Override
        public void function(byte[] source) {
            functions++;
        }

        @Override
        public void empty(int database, byte[] key) {
            empty++;
        }

        void print() {
            out.println(keys + " keys read");
            out.println(expiring + " expires");
            out.println(expired + " already expired");
            if (functions > 0) {
                out.println(functions + " libraries of functions");
            }
            if (empty > 0) {
                out.println(empty + " keys without elements, which are passed over when it is loaded");
            }
        }

        private static String printable(byte[] bytes) {
            return new String(bytes, StandardCharsets.ISO_8859_1).replaceAll("[^ -~]", "?");
        }
    }
}
