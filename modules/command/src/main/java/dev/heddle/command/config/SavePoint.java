package dev.heddle.command.config;

import java.util.ArrayList;
import java.util.List;

/**
 * A snapshot is due when {@code seconds} have passed since the last one and at least {@code changes} keys were changed.
 * Immutable.
 *
 * @param seconds at least 1
 * @param changes at least 0
 */
public record SavePoint(long seconds, long changes) {

    /**
     * The directive {@code save <seconds> <changes> [<seconds> <changes> ...]}. CONFIG SET replaces the list; in files the
     * lines add up, beginning with an empty list, and {@code save ""} clears what came before.
     */
    static final class ListCodec implements Codec<List<SavePoint>> {
        @Override
        public boolean severalWords() {
            return true;
        }

        @Override
        public List<SavePoint> parse(List<String> words, List<SavePoint> current) {
            if (words.equals(List.of(""))) {
                return List.of();
            }
            if (words.size() % 2 != 0) {
                throw invalid();
            }
            List<SavePoint> points = new ArrayList<>();
            for (int i = 0; i < words.size(); i += 2) {
                long seconds = Codecs.count(words.get(i), 0);
                long changes = Codecs.count(words.get(i + 1), -1);
                if (seconds < 1 || changes < 0) {
                    throw invalid();
                }
                points.add(new SavePoint(seconds, changes));
            }
            return List.copyOf(points);
        }

        @Override
        public List<SavePoint> load(List<String> words, List<SavePoint> current, boolean first) {
            List<SavePoint> points = parse(words, current);
            if (first || points.isEmpty()) {
                return points;
            }
            List<SavePoint> all = new ArrayList<>(current);
            all.addAll(points);
            return List.copyOf(all);
        }

        @Override
        public String text(List<SavePoint> value) {
            return String.join(
                    " ",
                    value.stream().map(p -> p.seconds() + " " + p.changes()).toList());
        }

        @Override
        public List<FileLine> lines(String name, List<SavePoint> value, List<SavePoint> initial) {
            if (value.isEmpty()) {
                return List.of(new FileLine(name + " \"\"", true));
            }
            return value.stream()
                    .map(p -> new FileLine(name + " " + p.seconds() + " " + p.changes(), true))
                    .toList();
        }

        private static ConfigException invalid() {
            return new ConfigException("Invalid save parameters");
        }
    }
}
