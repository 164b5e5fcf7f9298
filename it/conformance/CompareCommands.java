import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Compares what two servers say about their commands: COMMAND INFO (arity, flags, keys, categories, tips, key specifications) and COMMAND
 * DOCS (group, since, deprecation, the tree of arguments), for every command that the first one has. Prose is left out: summaries,
 * complexities, histories, notes; and the names of groups of arguments and of what follows a word, which nobody types.
 * Of CLUSTER the arguments are not compared either: all that we know of it is that there is no cluster.
 *
 * <pre>
 *   java it/conformance/CompareCommands.java PORT_OF_HEDDLE PORT_OF_REDIS_7.2
 * </pre>
 *
 * Prints a line for each difference that is not accepted below, and exits with 1 if there is one. Commands that only the first one has are
 * listed and do not count.
 */
final class CompareCommands {

    private static final List<String> INFO = List.of(
            "name", "arity", "flags", "first key", "last key", "step", "categories", "tips", "key specs", "subcommands");

    /** What is prose, or a date of a detail. */
    private static final List<String> LEFT_OUT = List.of("summary", "complexity", "history", "notes");

    /** Where we differ on purpose: path, reason. */
    private static final Map<String, String> ACCEPTED = Map.of(
            "client|kill / docs / arguments", "has MAXAGE (Redis 7.4); filters are one list, not several of one",
            "debug / docs", "its arguments are described",
            "hscan / docs / arguments", "has NOVALUES (Redis 7.4)",
            "lolwut / docs / arguments", "ours takes a seed");

    private int differences;

    public static void main(String[] args) throws IOException {
        Map<String, Object> ours = describe(Integer.parseInt(args[0]));
        Map<String, Object> theirs = describe(Integer.parseInt(args[1]));
        CompareCommands comparison = new CompareCommands();
        List<String> own = new ArrayList<>();
        ours.forEach((name, about) -> {
            Object other = theirs.get(name);
            if (other == null) {
                own.add(name);
            } else {
                comparison.compare(name, about, other);
            }
        });
        System.out.println(ours.size() + " commands, " + comparison.differences + " differences; only the first has " + own);
        System.exit(comparison.differences == 0 ? 0 : 1);
    }

    private void compare(String path, Object ours, Object theirs) {
        if (ACCEPTED.containsKey(path)) {
            return;
        }
        if (ours instanceof Map<?, ?> one && theirs instanceof Map<?, ?> other) {
            TreeSet<Object> keys = new TreeSet<>(one.keySet());
            keys.addAll(other.keySet());
            keys.removeAll(LEFT_OUT);
            if (path.contains("arguments")) {
                keys.removeAll(List.of("since", "deprecated_since"));
            }
            if (path.contains("arguments") && (other.containsKey("arguments") || other.containsKey("token"))) {
                keys.removeAll(List.of("name", "display_text"));
            }
            keys.forEach(key -> compare(path + " / " + key, one.get(key), other.get(key)));
        } else if (ours instanceof List<?> one && theirs instanceof List<?> other && one.size() == other.size()) {
            for (int i = 0; i < one.size(); i++) {
                compare(path + " / " + i, one.get(i), other.get(i));
            }
        } else if (!String.valueOf(ours).equals(String.valueOf(theirs))) {
            differences++;
            System.out.println(path + ": " + ours + " instead of " + theirs);
        }
    }

    /** Everything a server tells, by command, {@code container|sub} for subcommands. */
    private static Map<String, Object> describe(int port) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", port)) {
            Map<String, Object> all = new TreeMap<>();
            InputStream in = new BufferedInputStream(socket.getInputStream());
            socket.getOutputStream().write("HELLO 3\r\nCOMMAND\r\nCOMMAND DOCS\r\n".getBytes(StandardCharsets.US_ASCII));
            read(in);
            for (Object info : (List<?>) read(in)) {
                addInfo((List<?>) info, all);
            }
            addDocs((Map<?, ?>) read(in), all);
            return all;
        }
    }

    private static void addInfo(List<?> info, Map<String, Object> all) {
        Map<String, Object> about = new TreeMap<>();
        for (int i = 1; i < INFO.size() - 1; i++) {
            about.put(INFO.get(i), i == 2 || i == 6 || i == 7 ? new TreeSet<>((List<?>) info.get(i)).toString() : info.get(i));
        }
        all.put((String) info.get(0), about);
        for (Object subcommand : (List<?>) info.get(INFO.size() - 1)) {
            addInfo((List<?>) subcommand, all);
        }
    }

    @SuppressWarnings("unchecked")
    private static void addDocs(Map<?, ?> docs, Map<String, Object> all) {
        docs.forEach((name, about) -> {
            Map<String, Object> kept = new TreeMap<>((Map<String, Object>) about);
            Object subcommands = kept.remove("subcommands");
            if (((String) name).startsWith("cluster|")) {
                return;
            }
            if (subcommands != null) {
                addDocs((Map<?, ?>) subcommands, all);
            }
            ((Map<String, Object>) all.get(name)).put("docs", kept);
        });
    }

    private static Object read(InputStream in) throws IOException {
        String line = line(in);
        String rest = line.substring(1);
        switch (line.charAt(0)) {
            case '*', '~' -> {
                List<Object> list = new ArrayList<>();
                for (int left = Integer.parseInt(rest); left > 0; left--) {
                    list.add(read(in));
                }
                if (line.charAt(0) == '~' && list.stream().allMatch(String.class::isInstance)) {
                    list.sort(null);
                }
                return list;
            }
            case '%' -> {
                Map<String, Object> map = new LinkedHashMap<>();
                for (int left = Integer.parseInt(rest); left > 0; left--) {
                    map.put((String) read(in), read(in));
                }
                return map;
            }
            case '$', '=' -> {
                byte[] bytes = in.readNBytes(Integer.parseInt(rest));
                line(in);
                return new String(bytes, StandardCharsets.ISO_8859_1);
            }
            default -> {
                return rest;
            }
        }
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new IOException("the server has closed the connection");
            }
            line.append((char) c);
        }
        line.setLength(line.length() - 1);
        return line.toString();
    }
}
