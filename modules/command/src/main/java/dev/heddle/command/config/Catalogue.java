package dev.heddle.command.config;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * All directives by name, in the order in which they were declared. The groups of {@link Settings} declare their rows
 * here; afterwards nothing is added. Confined to the thread that builds the settings, then read by everybody.
 */
final class Catalogue {
    private final Map<String, Setting<?>> byName = new LinkedHashMap<>();
    private final List<Setting<?>> settings = new ArrayList<>();

    /** A yes/no directive. */
    Setting<Boolean> yesNo(Row row, boolean initial) {
        return add(row, initial, new Codecs.YesNo());
    }

    /** A number that fits an {@code int}. */
    Setting<Integer> integer(Row row, int initial, int min, int max) {
        return integer(row, initial, min, max, IntUnaryOperator.identity());
    }

    /** A number that fits an {@code int} and is replaced by {@code adjusted} of it. */
    Setting<Integer> integer(Row row, int initial, int min, int max, IntUnaryOperator adjusted) {
        return add(row, initial, new IntCodec(new NumberCodec(NumberCodec.Form.INTEGER, min, max), adjusted));
    }

    /** A number. */
    Setting<Long> number(Row row, long initial, long min, long max) {
        return add(row, initial, new NumberCodec(NumberCodec.Form.INTEGER, min, max));
    }

    /** Bytes. */
    Setting<Long> memory(Row row, long initial, long min) {
        return add(row, initial, new NumberCodec(NumberCodec.Form.MEMORY, min, NumberCodec.UNLIMITED));
    }

    /** A text for which empty is a value like others. */
    Setting<String> text(Row row, String initial, Consumer<String> check) {
        return add(row, initial, new Codecs.Text(false, check));
    }

    /** A text that is not set by default; an empty text means "not set". */
    Setting<String> optional(Row row) {
        return optional(row, any -> {});
    }

    Setting<String> optional(Row row, Consumer<String> check) {
        return add(row, "", new Codecs.Text(true, check));
    }

    /** One constant of an enum. */
    <E extends Enum<E>> Setting<E> choice(Row row, E initial) {
        return add(row, initial, Codecs.Choice.of(initial.getDeclaringClass()));
    }

    /** One of these words; for directives without an effect. */
    Setting<String> choice(Row row, String initial, String... words) {
        Map<String, String> values = new LinkedHashMap<>();
        for (String word : words) {
            values.put(word, word);
        }
        return add(row, initial, new Codecs.Choice<>(values));
    }

    /** A directive of its own kind. */
    <T> Setting<T> add(Row row, T initial, Codec<T> codec) {
        Setting<T> setting = new Setting<>(row, initial, codec);
        register(row.name(), setting);
        row.aliases().forEach(alias -> register(alias, setting));
        settings.add(setting);
        return setting;
    }

    private void register(String name, Setting<?> setting) {
        if (byName.put(name, setting) != null) {
            throw new IllegalStateException("two directives are named " + name);
        }
    }

    /** The directive of this name, in any case. */
    @Nullable
    Setting<?> find(String name) {
        return byName.get(name.toLowerCase(Locale.ROOT));
    }

    /** All names, aliases included, with their directives. */
    Set<Map.Entry<String, Setting<?>>> names() {
        return Collections.unmodifiableMap(byName).entrySet();
    }

    /** All directives, each once. */
    List<Setting<?>> settings() {
        return Collections.unmodifiableList(settings);
    }

    /** A {@link NumberCodec} whose range fits an {@code int}. */
    private record IntCodec(NumberCodec wide, IntUnaryOperator adjusted) implements Codec<Integer> {
        @Override
        public Integer parse(List<String> words, Integer current) {
            return adjusted.applyAsInt(Math.toIntExact(wide.parse(words, current.longValue())));
        }

        @Override
        public String text(Integer value) {
            return wide.text(value.longValue());
        }
    }
}
