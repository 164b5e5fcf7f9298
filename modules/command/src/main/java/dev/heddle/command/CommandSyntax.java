package dev.heddle.command;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the notation in which the Redis reference writes a command's arguments, and makes of it the tree that COMMAND DOCS answers.
 *
 * <p>Confined to one parse; what {@link #parse} returns is immutable.
 */
public final class CommandSyntax {

    /*
     * The notation:
     *
     *     key              an argument          TOKEN            a word to be written as it is
     *     TOKEN name       an argument announced by a word
     *     TOKEN a b        several of them: a block
     *     [x]              may be left out      <x | y>          one of them; so does [x | y]
     *     x [x ...]        once or more         [x [x ...]]      any number of times
     *
     * The parser has two steps: nodes that mirror the brackets, then arguments. A bracket that ends in dots repeats what stands before
     * it. The notation has no types: they are guessed from the names, which the reference uses consistently enough.
     */

    /** The kinds of arguments. */
    public enum Type {
        STRING,
        INTEGER,
        DOUBLE,
        KEY,
        PATTERN,
        UNIX_TIME,
        PURE_TOKEN,
        ONEOF,
        BLOCK;

        /** As COMMAND DOCS spells it. */
        public String spelling() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /** How often an argument may stand. */
    public enum Trait {
        OPTIONAL,
        MULTIPLE,
        /** Its token is repeated, too. */
        MULTIPLE_TOKEN;

        /** As COMMAND DOCS spells it. */
        public String spelling() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * An argument.
     *
     * @param token the word that announces it, null if there is none
     * @param keySpec which key specification of the command it belongs to, -1 if it is no key
     * @param parts what a {@link Type#ONEOF} or {@link Type#BLOCK} consists of
     */
    public record Argument(
            String name, Type type, @Nullable String token, int keySpec, Set<Trait> traits, List<Argument> parts) {

        Argument with(Trait... more) {
            EnumSet<Trait> set = EnumSet.noneOf(Trait.class);
            set.addAll(traits);
            set.addAll(List.of(more));
            return new Argument(name, type, token, keySpec, set, parts);
        }

        Argument announcedBy(String word) {
            return new Argument(name, type, word, keySpec, traits, parts);
        }
    }

    private static final Pattern LEXEME = Pattern.compile("[\\[\\]<>|]|\\.\\.\\.|[^\\s\\[\\]<>|]+");
    private static final Pattern TOKEN = Pattern.compile("[A-Z][A-Z0-9_-]*|[=~*$+-]");

    private static final Set<String> KEYS = Set.of(
            "key",
            "newkey",
            "key1",
            "key2",
            "source",
            "destination",
            "destkey",
            "sourcekey",
            "storekey",
            "storedistkey");
    private static final Set<String> INTEGERS = Set.of(
            "bit",
            "client-id",
            "count",
            "cursor",
            "db",
            "decrement",
            "destination-db",
            "end",
            "frequency",
            "increment",
            "index",
            "index1",
            "index2",
            "len",
            "limit",
            "maxage",
            "maxlen",
            "milliseconds",
            "min-match-len",
            "num-matches",
            "numkeys",
            "numlocal",
            "numpat",
            "numreplicas",
            "offset",
            "port",
            "protover",
            "rank",
            "samples",
            "seconds",
            "start",
            "stop",
            "threshold",
            "timeout",
            "timestamp",
            "ttl",
            "version",
            "weight");
    private static final Set<String> DOUBLES = Set.of("longitude", "latitude", "radius", "width", "height", "score");

    /** What stands between brackets, or is no bracket. */
    private sealed interface Node {}

    private record Word(String text) implements Node {
        boolean isToken() {
            return TOKEN.matcher(text).matches();
        }
    }

    private record Dots() implements Node {}

    private record Bracket(boolean optional, List<List<Node>> alternatives) implements Node {
        /** Whether this is {@code [x ...]}, in which the dots belong to all alternatives. */
        boolean repeats() {
            List<Node> last = alternatives.getLast();
            return !last.isEmpty() && last.getLast() instanceof Dots;
        }

        /** Whether this is {@code [x | y [x | y ...]]}: a choice that is repeated, with itself at the end of its last alternative. */
        boolean repeatsChoice() {
            List<Node> last = alternatives.getLast();
            return alternatives.size() > 1
                    && !last.isEmpty()
                    && last.getLast() instanceof Bracket inner
                    && inner.repeats()
                    && inner.alternatives.size() == alternatives.size();
        }

        /** The alternatives without the last node of the last one. */
        List<List<Node>> withoutLast() {
            List<List<Node>> shorter = new ArrayList<>(alternatives);
            List<Node> last = shorter.removeLast();
            shorter.add(last.subList(0, last.size() - 1));
            return shorter;
        }
    }

    private final List<String> lexemes = new ArrayList<>();
    private final int keySpecs;
    private int at;
    private int keysMet;

    private CommandSyntax(String syntax, int keySpecs) {
        this.keySpecs = keySpecs;
        Matcher matcher = LEXEME.matcher(syntax);
        while (matcher.find()) {
            lexemes.add(matcher.group());
        }
    }

    /**
     * Reads a syntax line.
     *
     * @param keySpecs how many key specifications the command has
     * @throws IllegalArgumentException if brackets do not match
     */
    public static List<Argument> parse(String syntax, int keySpecs) {
        CommandSyntax parser = new CommandSyntax(syntax, keySpecs);
        List<List<Node>> alternatives = parser.alternatives("");
        if (parser.at < parser.lexemes.size()) {
            throw new IllegalArgumentException("unbalanced brackets: " + syntax);
        }
        return alternatives.size() == 1
                ? parser.arguments(alternatives.getFirst())
                : List.of(parser.choice(alternatives));
    }

    private List<List<Node>> alternatives(String end) {
        List<List<Node>> alternatives = new ArrayList<>();
        List<Node> sequence = new ArrayList<>();
        alternatives.add(sequence);
        while (at < lexemes.size()) {
            String lexeme = lexemes.get(at++);
            switch (lexeme) {
                case "[" -> sequence.add(new Bracket(true, alternatives("]")));
                case "<" -> sequence.add(new Bracket(false, alternatives(">")));
                case "]", ">" -> {
                    if (!lexeme.equals(end)) {
                        throw new IllegalArgumentException("unexpected " + lexeme + " in " + lexemes);
                    }
                    return alternatives;
                }
                case "|" -> {
                    sequence = new ArrayList<>();
                    alternatives.add(sequence);
                }
                case "..." -> sequence.add(new Dots());
                default -> sequence.add(new Word(lexeme));
            }
        }
        if (!end.isEmpty()) {
            throw new IllegalArgumentException("missing " + end + " in " + lexemes);
        }
        return alternatives;
    }

    private List<Argument> arguments(List<Node> nodes) {
        List<Argument> list = new ArrayList<>();
        for (int i = 0; i < nodes.size(); i++) {
            switch (nodes.get(i)) {
                case Word word when word.isToken() -> i += announced(list, word, nodes.subList(i + 1, nodes.size()));
                case Word word -> list.add(plain(word));
                case Bracket bracket -> bracket(list, bracket);
                case Dots dots -> throw new IllegalArgumentException("dots outside of brackets: " + lexemes);
            }
        }
        return list;
    }

    /** Adds what a token announces; returns how many of the nodes behind it belong to it. */
    private int announced(List<Argument> list, Word token, List<Node> behind) {
        int words = 0;
        while (words < behind.size() && behind.get(words) instanceof Word word && !word.isToken()) {
            words++;
        }
        String name = token.text().toLowerCase(Locale.ROOT);
        if (words == 1) {
            list.add(arguments(behind.subList(0, 1)).getFirst().announcedBy(token.text()));
        } else if (words > 1) {
            list.add(block(name, arguments(behind.subList(0, words))).announcedBy(token.text()));
        } else if (!behind.isEmpty() && behind.getFirst() instanceof Bracket bracket && !bracket.optional()) {
            list.add(choice(bracket.alternatives()).announcedBy(token.text()));
            return 1;
        } else {
            list.add(leaf(name, Type.PURE_TOKEN, -1).announcedBy(token.text()));
        }
        return words;
    }

    private void bracket(List<Argument> list, Bracket bracket) {
        if (bracket.repeats()) {
            repeat(list, bracket.withoutLast());
            return;
        }
        if (bracket.repeatsChoice()) {
            list.add(choice(bracket.withoutLast()).with(Trait.OPTIONAL, Trait.MULTIPLE));
            return;
        }
        Argument argument = choice(bracket.alternatives());
        list.add(bracket.optional() ? argument.with(Trait.OPTIONAL) : argument);
    }

    /** Makes the end of the list something that may stand several times. */
    private void repeat(List<Argument> list, List<List<Node>> alternatives) {
        int keysBefore = keysMet;
        List<Argument> again =
                alternatives.size() == 1 ? arguments(alternatives.getFirst()) : List.of(choice(alternatives));
        keysMet = keysBefore; // they are the same keys
        Argument last = list.isEmpty() ? null : list.getLast();
        int from = list.size() - again.size();
        if (last != null && (sameNames(List.of(last), again) || sameNames(last.parts(), again))) {
            list.removeLast();
            boolean withToken =
                    last.token() != null && last.token().equals(again.getFirst().token());
            list.add(withToken ? last.with(Trait.MULTIPLE, Trait.MULTIPLE_TOKEN) : last.with(Trait.MULTIPLE));
        } else if (from >= 0 && sameNames(list.subList(from, list.size()), again)) {
            List<Argument> parts = List.copyOf(list.subList(from, list.size()));
            list.subList(from, list.size()).clear();
            list.add(block("data", parts).with(Trait.MULTIPLE));
        } else {
            list.add(single(again).with(Trait.OPTIONAL, Trait.MULTIPLE));
        }
    }

    private static boolean sameNames(List<Argument> some, List<Argument> others) {
        return some.stream()
                .map(Argument::name)
                .toList()
                .equals(others.stream().map(Argument::name).toList());
    }

    private Argument choice(List<List<Node>> alternatives) {
        List<Argument> parts = new ArrayList<>();
        for (List<Node> alternative : alternatives) {
            parts.add(single(arguments(alternative)));
        }
        return parts.size() == 1 ? parts.getFirst() : new Argument("choice", Type.ONEOF, null, -1, Set.of(), parts);
    }

    /** A sequence as one argument. */
    private static Argument single(List<Argument> sequence) {
        return sequence.size() == 1
                ? sequence.getFirst()
                : block(sequence.isEmpty() ? "block" : sequence.getFirst().name() + "-block", sequence);
    }

    private static Argument block(String name, List<Argument> parts) {
        return new Argument(name, Type.BLOCK, null, -1, Set.of(), parts);
    }

    private Argument plain(Word word) {
        String name = word.text();
        if (name.equals("\"\"")) {
            return leaf("empty-string", Type.PURE_TOKEN, -1).announcedBy("");
        }
        if (keySpecs > 0 && KEYS.contains(name)) {
            int keySpec = Math.min(keysMet, keySpecs - 1);
            keysMet++;
            return leaf(name, Type.KEY, keySpec);
        }
        return leaf(name, typeOf(name), -1);
    }

    private static Type typeOf(String name) {
        if (name.startsWith("unix-time")) {
            return Type.UNIX_TIME;
        }
        if (name.equals("pattern")) {
            return Type.PATTERN;
        }
        if (INTEGERS.contains(name)) {
            return Type.INTEGER;
        }
        return DOUBLES.contains(name) ? Type.DOUBLE : Type.STRING;
    }

    private static Argument leaf(String name, Type type, int keySpec) {
        return new Argument(name, type, null, keySpec, Set.of(), List.of());
    }
}
