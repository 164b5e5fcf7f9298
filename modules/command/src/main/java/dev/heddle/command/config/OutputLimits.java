package dev.heddle.command.config;

import java.util.List;
import java.util.Locale;

/**
 * How much output may wait for a slow client before it is dropped ({@code client-output-buffer-limit}), per class of
 * clients. Immutable.
 */
public record OutputLimits(Limit normal, Limit replica, Limit pubsub) {

    /**
     * The limit of one class.
     *
     * @param hardBytes a client with more waiting output is dropped at once; 0: no limit
     * @param softBytes a client with more waiting output for longer than {@code softSeconds} is dropped; 0: no limit
     * @param softSeconds at least 0
     */
    public record Limit(long hardBytes, long softBytes, long softSeconds) {
        private String text() {
            return hardBytes + " " + softBytes + " " + softSeconds;
        }

        private String fileText() {
            return NumberCodec.withUnit(hardBytes) + " " + NumberCodec.withUnit(softBytes) + " " + softSeconds;
        }
    }

    /** Redis's defaults. */
    static final OutputLimits INITIAL = new OutputLimits(
            new Limit(0, 0, 0), new Limit(256L << 20, 64L << 20, 60), new Limit(32L << 20, 8L << 20, 60));

    /** The directive {@code client-output-buffer-limit <class> <hard> <soft> <seconds> [...]}. */
    static final class LimitsCodec implements Codec<OutputLimits> {
        private static final String BAD_NUMBER =
                "Error in hard, soft or soft_seconds setting in buffer limit configuration.";

        @Override
        public boolean severalWords() {
            return true;
        }

        @Override
        public OutputLimits parse(List<String> words, OutputLimits current) {
            if (words.size() % 4 != 0) {
                throw new ConfigException("Wrong number of arguments in buffer limit configuration.");
            }
            OutputLimits limits = current;
            for (int i = 0; i < words.size(); i += 4) {
                limits = changed(limits, words.get(i), words.subList(i + 1, i + 4));
            }
            return limits;
        }

        private static OutputLimits changed(OutputLimits limits, String type, List<String> numbers) {
            return switch (type.toLowerCase(Locale.ROOT)) {
                case "normal" -> new OutputLimits(limit(numbers), limits.replica, limits.pubsub);
                case "slave", "replica" -> new OutputLimits(limits.normal, limit(numbers), limits.pubsub);
                case "pubsub" -> new OutputLimits(limits.normal, limits.replica, limit(numbers));
                default -> throw new ConfigException("Invalid client class specified in buffer limit configuration.");
            };
        }

        private static Limit limit(List<String> numbers) {
            long hard = NumberCodec.memory(numbers.get(0), BAD_NUMBER);
            long soft = NumberCodec.memory(numbers.get(1), BAD_NUMBER);
            long seconds = Codecs.count(numbers.get(2), -1);
            if (seconds < 0) {
                throw new ConfigException(BAD_NUMBER);
            }
            return new Limit(hard, soft, seconds);
        }

        @Override
        public String text(OutputLimits value) {
            return "normal " + value.normal.text() + " slave " + value.replica.text() + " pubsub "
                    + value.pubsub.text();
        }

        @Override
        public List<FileLine> lines(String name, OutputLimits value, OutputLimits initial) {
            return List.of(
                    line(name + " normal ", value.normal, initial.normal),
                    line(name + " replica ", value.replica, initial.replica),
                    line(name + " pubsub ", value.pubsub, initial.pubsub));
        }

        private static FileLine line(String start, Limit limit, Limit initial) {
            return new FileLine(start + limit.fileText(), !limit.equals(initial));
        }
    }
}
