package dev.heddle.command.catalog;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** The commands in {@code write-commands.txt}. Immutable. */
final class WriteExamples {

    private final List<String[]> data = new ArrayList<>();
    private final List<String[]> examples = new ArrayList<>();

    WriteExamples() {
        List<String[]> part = data;
        try (InputStream stream = WriteExamples.class.getResourceAsStream("write-commands.txt");
                BufferedReader lines = new BufferedReader(
                        new InputStreamReader(Objects.requireNonNull(stream), StandardCharsets.US_ASCII))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.equals("[examples]")) {
                    part = examples;
                } else if (!line.isBlank() && !line.startsWith("#") && !line.startsWith("[")) {
                    part.add(line.split(" "));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The commands that make the data that the examples change. */
    List<String[]> data() {
        return data;
    }

    /** Commands each of which changes something in that data. */
    List<String[]> examples() {
        return examples;
    }
}
