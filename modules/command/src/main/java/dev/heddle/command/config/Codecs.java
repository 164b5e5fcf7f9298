package dev.heddle.command.config;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Pattern;

/** The kinds of settings that are no numbers: yes/no, texts, choices, lists. All are immutable. */
final class Codecs {
    private static final Pattern DECIMAL =
            Pattern.compile("[+-]?([0-9]{1,40}(\\.[0-9]*)?|\\.[0-9]{1,40})([eE][+-]?[0-9]{1,4})?");
    private static final Pattern COUNT = Pattern.compile("[+-]?[0-9]{1,18}");

    private Codecs() {}

    /** {@code yes} or {@code no}. */
    static final class YesNo implements Codec<Boolean> {
        @Override
        public Boolean parse(List<String> words, Boolean current) {
            return switch (words.get(0).toLowerCase(Locale.ROOT)) {
                case "yes" -> true;
                case "no" -> false;
                default -> throw new ConfigException("argument must be 'yes' or 'no'");
            };
        }

        @Override
        public String text(Boolean value) {
            return value ? "yes" : "no";
        }
    }

    /**
     * A text.
     *
     * @param emptyIsAbsent whether an empty text means "not set", so that a file must not have the line at all
     * @param check throws a {@link ConfigException} for a text that must not be
     */
    record Text(boolean emptyIsAbsent, Consumer<String> check) implements Codec<String> {
        @Override
        public String parse(List<String> words, String current) {
            check.accept(words.get(0));
            return words.get(0);
        }

        @Override
        public String text(String value) {
            return value;
        }

        @Override
        public String fileText(String value) {
            return ConfigText.quote(value);
        }

        @Override
        public List<FileLine> lines(String name, String value, String initial) {
            return emptyIsAbsent && value.isEmpty() ? List.of() : Codec.super.lines(name, value, initial);
        }
    }

    /** One of several words; a word may be another spelling of an earlier one's value. */
    static final class Choice<E> implements Codec<E> {
        private final Map<String, E> values;
        private final Map<E, String> labels = new LinkedHashMap<>();

        Choice(Map<String, E> values) {
            this.values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
            values.forEach((label, value) -> labels.putIfAbsent(value, label));
        }

        /** The constants of an enum, in lower case and with hyphens. */
        static <E extends Enum<E>> Choice<E> of(Class<E> type) {
            Map<String, E> values = new LinkedHashMap<>();
            for (E constant : type.getEnumConstants()) {
                values.put(constant.name().toLowerCase(Locale.ROOT).replace('_', '-'), constant);
            }
            return new Choice<>(values);
        }

        @Override
        public E parse(List<String> words, E current) {
            E value = values.get(words.get(0).toLowerCase(Locale.ROOT));
            if (value == null) {
                throw notAmong(values.keySet());
            }
            return value;
        }

        @Override
        public String text(E value) {
            return String.valueOf(labels.get(value));
        }
    }

    /** A set of words of a fixed vocabulary, printed in the vocabulary's order; none of them prints as {@code none}. */
    record Flags(String none, List<String> vocabulary, Consumer<Set<String>> check) implements Codec<Set<String>> {
        @Override
        public boolean severalWords() {
            return true;
        }

        @Override
        public Set<String> parse(List<String> words, Set<String> current) {
            Set<String> given = new LinkedHashSet<>();
            for (String word : words) {
                given.add(word.toLowerCase(Locale.ROOT));
            }
            Set<String> flags = new LinkedHashSet<>(vocabulary);
            flags.retainAll(given);
            given.removeAll(flags);
            given.remove(none);
            if (words.isEmpty() || !given.isEmpty()) {
                List<String> all = new ArrayList<>(List.of(none));
                all.addAll(vocabulary);
                throw notAmong(all);
            }
            check.accept(flags);
            return Collections.unmodifiableSet(flags);
        }

        @Override
        public String text(Set<String> value) {
            return value.isEmpty() ? none : String.join(" ", value);
        }
    }

    /** A list of words, each read and printed on its own. */
    record Words<E>(Function<List<String>, List<E>> reader, Function<E, String> printer) implements Codec<List<E>> {
        @Override
        public boolean severalWords() {
            return true;
        }

        @Override
        public List<E> parse(List<String> words, List<E> current) {
            return List.copyOf(reader.apply(words.equals(List.of("")) ? List.of() : words));
        }

        @Override
        public String text(List<E> value) {
            return String.join(" ", value.stream().map(printer).toList());
        }

        @Override
        public String fileText(List<E> value) {
            return value.isEmpty() ? "\"\"" : text(value);
        }
    }

    /** The addresses of {@code bind}: at most 16 words. */
    static Codec<List<String>> addresses() {
        return new Words<>(
                words -> {
                    if (words.size() > 16) {
                        throw new ConfigException("Too many bind addresses specified.");
                    }
                    return words;
                },
                word -> word);
    }

    /** Percentiles between 0 and 100, printed with up to six digits after the point. */
    static Codec<List<Double>> percentiles() {
        return new Words<>(words -> words.stream().map(Codecs::percentile).toList(), Codecs::shortest);
    }

    /** Exactly three numbers between -2000 and 2000. */
    static Codec<List<Long>> scoreAdjustments() {
        return new Words<>(Codecs::adjustments, number -> Long.toString(number));
    }

    private static List<Long> adjustments(List<String> words) {
        if (words.size() != 3) {
            throw new ConfigException("wrong number of arguments");
        }
        List<Long> numbers =
                words.stream().map(word -> count(word, Long.MAX_VALUE)).toList();
        if (numbers.stream().anyMatch(number -> number < -2000 || number > 2000)) {
            throw new ConfigException("Invalid oom-score-adj-values, elements must be between -2000 and 2000.");
        }
        return numbers;
    }

    private static Double percentile(String word) {
        if (!DECIMAL.matcher(word).matches()) {
            throw new ConfigException("Invalid latency-tracking-info-percentiles parameters");
        }
        double number = Double.parseDouble(word);
        if (number < 0 || number > 100) {
            throw new ConfigException("latency-tracking-info-percentiles parameters should sit between [0.0,100.0]");
        }
        return number;
    }

    private static String shortest(double number) {
        String text = String.format(Locale.ROOT, "%f", number);
        int end = text.length();
        while (text.charAt(end - 1) == '0') {
            end--;
        }
        return text.substring(0, text.charAt(end - 1) == '.' ? end - 1 : end);
    }

    /** A whole number that may have a sign and leading zeros, or {@code otherwise} if the word is none. */
    static long count(String word, long otherwise) {
        return COUNT.matcher(word).matches() ? Long.parseLong(word) : otherwise;
    }

    private static ConfigException notAmong(Iterable<String> vocabulary) {
        return new ConfigException("argument(s) must be one of the following: " + String.join(", ", vocabulary));
    }
}
