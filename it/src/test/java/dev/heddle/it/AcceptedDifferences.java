package dev.heddle.it;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/**
 * The reviewed list of replies that may differ. Columns: the version of the other server that the row is for (or
 * {@code any}), a pattern for the whole command line, patterns for Heddle's and for the other server's reply (escaped
 * as {@link Reply#printable} does), the reason. {@code ~number} in place of Heddle's pattern means: the same but for how numbers
 * are written. Thread-safe.
 */
final class AcceptedDifferences {

    private static final Pattern NUMBER = Pattern.compile("-?[0-9]+(\\.[0-9]+)?(e[-+]?[0-9]+)?");

    private final List<Row> rows;
    private final Set<Row> used = ConcurrentHashMap.newKeySet();

    private record Row(String version, Pattern command, String heddle, String other, String reason) {

        boolean allows(String line, Reply ours, Reply theirs) {
            if (!command.matcher(line).matches()) {
                return false;
            }
            return heddle.equals("~number")
                    ? sameButForNumbers(ours, theirs)
                    : Pattern.matches(heddle, ours.printable()) && Pattern.matches(other, theirs.printable());
        }

        private static boolean sameButForNumbers(Reply ours, Reply theirs) {
            if (ours.type() != theirs.type()
                    || ours.elements().size() != theirs.elements().size()) {
                return false;
            }
            for (int i = 0; i < ours.elements().size(); i++) {
                if (!sameButForNumbers(ours.elements().get(i), theirs.elements().get(i))) {
                    return false;
                }
            }
            return !ours.elements().isEmpty() || sameNumber(ours.text(), theirs.text());
        }

        private static boolean sameNumber(String one, String other) {
            return one.equals(other)
                    || NUMBER.matcher(one).matches()
                            && NUMBER.matcher(other).matches()
                            && Double.parseDouble(one) == Double.parseDouble(other);
        }
    }

    private AcceptedDifferences(List<Row> rows) {
        this.rows = rows;
    }

    /** The rows that are for this version. */
    static AcceptedDifferences forVersion(String version) {
        return new AcceptedDifferences(Resources.rows("side-by-side/accepted-differences.tsv").stream()
                .map(c -> new Row(c.get(0), Pattern.compile(c.get(1)), c.get(2), c.get(3), c.get(4)))
                .filter(row -> row.version().equals("any") || row.version().equals(version))
                .toList());
    }

    /** Whether a row allows these replies to differ; the row then counts as used. */
    boolean allow(String line, Reply ours, Reply theirs) {
        for (Row row : rows) {
            if (row.allows(line, ours, theirs)) {
                used.add(row);
                return true;
            }
        }
        return false;
    }

    /** The rows that no reply needed. */
    List<String> unused() {
        return rows.stream()
                .filter(row -> !used.contains(row))
                .map(row -> row.version() + "  " + row.command() + "  (" + row.reason() + ")")
                .toList();
    }
}
