package dev.heddle.persistence.aof;

import dev.heddle.command.config.ConfigText;
import dev.heddle.persistence.aof.AofManifest.Part;
import dev.heddle.persistence.aof.RecordScanner.Kind;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The tool {@code heddle check-aof}: tells whether append-only files make sense, and cuts off what does not, as redis-check-aof does.
 * Confined to one thread.
 */
public final class CheckAof {

    private static final int GOOD = 0;
    private static final int BAD = 1;
    private static final long NO_TIMESTAMP = -1;

    /** Finds the end of a snapshot with which a file begins. */
    @FunctionalInterface
    public interface SnapshotCheck {

        /**
         * Reads a snapshot that begins at the first byte of a file.
         *
         * @return where in the file it ends
         * @throws IOException with the reason if it is damaged
         */
        long end(Path file) throws IOException;
    }

    private final InputStream in;
    private final PrintStream out;
    private final boolean asks;
    private final SnapshotCheck snapshots;
    private boolean fix;
    private boolean yes;
    private long timestamp = NO_TIMESTAMP;

    /**
     * @param asks whether somebody is there to be asked before a file is cut; without, {@code --fix} is enough
     * @param snapshots checks snapshots at the beginning of files
     */
    public CheckAof(InputStream in, PrintStream out, boolean asks, SnapshotCheck snapshots) {
        this.in = in;
        this.out = out;
        this.asks = asks;
        this.snapshots = snapshots;
    }

    /** How to call it, line by line. */
    public static List<String> usage() {
        return List.of(
                "Usage: heddle check-aof [--fix] [--yes] [--truncate-to-timestamp SECONDS] FILE",
                "",
                "FILE is an append-only file or the manifest of several. Tells where it stops making sense, if it does.",
                "  --fix      cut it off there, before an unfinished transaction; what is cut is kept beside it",
                "  --truncate-to-timestamp SECONDS",
                "             cut off what was written after this time (needs aof-timestamp-enabled)",
                "  --yes      do not ask before cutting");
    }

    /**
     * Runs the tool.
     *
     * @param arguments those behind {@code check-aof}
     * @return the exit code: 0 if all is well, or is now; 1 otherwise
     */
    public int run(List<String> arguments) {
        Path file = null;
        for (int i = 0; i < arguments.size(); i++) {
            String argument = arguments.get(i);
            switch (argument) {
                case "--fix" -> fix = true;
                case "--yes", "-y" -> yes = true;
                case "--truncate-to-timestamp" -> {
                    String next = i + 1 < arguments.size() ? arguments.get(i + 1) : "";
                    timestamp = next.matches("[0-9]{1,18}") ? Long.parseLong(next) : NO_TIMESTAMP;
                    if (timestamp == NO_TIMESTAMP) {
                        return misused();
                    }
                    i++;
                }
                default -> {
                    if (file != null || argument.startsWith("-")) {
                        return misused();
                    }
                    file = Path.of(argument);
                }
            }
        }
        return file == null ? misused() : check(file);
    }

    private int misused() {
        usage().forEach(out::println);
        return BAD;
    }

    private int check(Path file) {
        try {
            return isManifest(file) ? checkAll(file) : checkFile(file, true) ? GOOD : BAD;
        } catch (IOException e) {
            out.println("Cannot check " + file + ": " + reason(e));
            return BAD;
        }
    }

    private static String reason(IOException e) {
        return e instanceof NoSuchFileException ? "there is no such file" : String.valueOf(e.getMessage());
    }

    private static boolean isManifest(Path file) throws IOException {
        try (InputStream stream = Files.newInputStream(file)) {
            String first = new String(stream.readNBytes(5), StandardCharsets.ISO_8859_1);
            return first.equals("file ")
                    || (first.startsWith("#") && file.toString().endsWith(".manifest"));
        }
    }

    private int checkAll(Path manifestFile) throws IOException {
        AofManifest manifest = AofDirectory.parse(manifestFile);
        List<Part> parts = manifest.parts();
        out.println(manifestFile + " names " + parts.size() + " file(s)");
        for (Part part : parts) {
            Path file = manifestFile.resolveSibling(ConfigText.path(part.name()));
            if (!Files.isRegularFile(file)) {
                out.println(file + ": missing");
                return BAD;
            }
            if (!checkFile(file, part == parts.getLast())) {
                return BAD;
            }
        }
        out.println("All files named by the manifest are valid");
        return GOOD;
    }

    /** @return whether the file is valid, or is now */
    private boolean checkFile(Path file, boolean last) throws IOException {
        Findings found = look(file);
        out.println(file + ": " + found.size + " bytes, " + found.commands + " commands, valid up to offset "
                + found.validEnd + (found.problem == null ? "" : "; " + found.problem));
        if (found.later >= 0) {
            return cut(file, last, found.later, "what was written after second " + timestamp);
        }
        if (found.problem == null) {
            out.println(file + ": valid");
            return true;
        }
        if (!fix) {
            out.println(file + ": not valid; --fix cuts it off at offset " + found.validEnd);
            return false;
        }
        return cut(file, last, found.validEnd, "what is not valid");
    }

    private boolean cut(Path file, boolean last, long size, String what) throws IOException {
        long bytes = Files.size(file) - size;
        if (!last) {
            out.println(file + ": not cut, for it is not the last file, and later ones may depend on what is missing");
            return false;
        }
        if (bytes == 0) {
            out.println(file + ": nothing to cut");
            return true;
        }
        out.println(file + ": this cuts off " + what + ": " + bytes + " bytes, from offset " + size);
        if (!mayCut()) {
            out.println(file + ": left as it is");
            return false;
        }
        out.println(file + ": cut to " + size + " bytes; what was cut is in " + TornTail.cut(file, size));
        return true;
    }

    private boolean mayCut() throws IOException {
        if (yes || !asks) {
            return true;
        }
        out.print("Continue? [y/N] ");
        out.flush();
        String answer = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8)).readLine();
        return answer != null && answer.strip().equalsIgnoreCase("y");
    }

    /** What a file is like. Confined to one check. */
    private static final class Findings {
        private long size;
        private long commands;
        /** Behind the last record that is complete and in no unfinished transaction. */
        private long validEnd;
        /** Where what is newer than the wanted time begins; -1 if nothing is. */
        private long later = -1;

        private @Nullable String problem;
    }

    private Findings look(Path file) throws IOException {
        Findings found = new Findings();
        found.size = Files.size(file);
        long from = AofDirectory.isRdb(file) ? snapshots.end(file) : 0;
        found.validEnd = from;
        try (RecordScanner scanner = RecordScanner.open(file, from)) {
            boolean inTransaction = false;
            while (true) {
                Kind kind = scanner.next();
                if (kind == Kind.COMMAND) {
                    found.commands++;
                    if (scanner.is("MULTI") == inTransaction && (inTransaction || scanner.is("EXEC"))) {
                        found.problem = "at offset " + scanner.recordStart() + ": "
                                + (inTransaction ? "MULTI within a transaction" : "EXEC without MULTI");
                        return found;
                    }
                    inTransaction = scanner.is("MULTI") || (inTransaction && !scanner.is("EXEC"));
                } else if (kind == Kind.ANNOTATION) {
                    if (timestamp != NO_TIMESTAMP && scanner.timestamp() > timestamp && !inTransaction) {
                        found.later = scanner.recordStart();
                        return found;
                    }
                } else {
                    found.problem = problem(kind, scanner, inTransaction);
                    return found;
                }
                if (!inTransaction) {
                    found.validEnd = scanner.position();
                }
            }
        }
    }

    private static @Nullable String problem(Kind kind, RecordScanner scanner, boolean inTransaction) {
        return switch (kind) {
            case END -> inTransaction ? "it ends within a transaction" : null;
            case TORN -> "it ends within the record at offset " + scanner.recordStart();
            case CORRUPT -> "at offset " + scanner.position() + ": " + scanner.reason();
            case COMMAND, ANNOTATION -> null;
        };
    }
}
