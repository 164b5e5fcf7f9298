package dev.heddle.it;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Files beside the tests. Stateless. */
final class Resources {

    private Resources() {}

    static List<String> lines(String name) {
        try (InputStream in = Resources.class.getClassLoader().getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalArgumentException("no such test resource: " + name);
            }
            return new String(in.readAllBytes(), UTF_8).lines().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The rows of a file of tab-separated columns, without comments. */
    static List<List<String>> rows(String name) {
        return lines(name).stream()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .map(line -> List.of(line.split("\t+")))
                .toList();
    }

    /** The commands whose replies have no order of their own, with the form to compare them in. */
    static Map<String, Form> forms() {
        return rows("side-by-side/unordered-replies.tsv").stream()
                .collect(Collectors.toMap(row -> row.get(0), row -> Form.of(row.get(1))));
    }
}
