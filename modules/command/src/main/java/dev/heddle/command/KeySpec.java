package dev.heddle.command;

import dev.heddle.resp.Request;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntConsumer;

/**
 * Where a command's keys stand among its arguments. Argument 0 is the command's name.
 *
 * <p>Immutable.
 */
public sealed interface KeySpec {

    /** Calls {@code action} with the index of each key. Bad input names no key: the handler reports it. */
    void forEachKey(Request request, IntConsumer action);

    /** What the command does to these keys, for COMMAND INFO and key permissions. */
    Access access();

    /** What a command does to a key. */
    enum Access {
        /** Reads the value. */
        RO("RO", "access"),
        /** Reads properties of the key, such as whether it exists, its type or length, never data. */
        RO_META("RO", ""),
        /** No key at all, but in the place of one: a shard channel. */
        NOT_KEY("not_key", ""),
        /** Changes the value by what is there. */
        RW("RW", "update"),
        /** Changes the value and answers with data of it. */
        RW_ACCESS("RW", "access update"),
        /** Answers with data of the value, and may change what is kept beside it. */
        RW_READ("RW", "access"),
        /** Adds data and answers with what is there. */
        RW_ACCESS_INSERT("RW", "access insert"),
        /** As {@link #RW_ACCESS}; whether it reads or writes depends on the arguments. */
        RW_VARIABLE("RW", "access update variable_flags"),
        /** Adds data without reading any. */
        RW_INSERT("RW", "insert"),
        /** Takes data away without answering it. */
        RW_DELETE("RW", "delete"),
        /** Takes data away and answers with it. */
        RW_POP("RW", "access delete"),
        /** As {@link #RW_POP}, for keys not all of which can be found by this rule. */
        RW_POP_INCOMPLETE("RW", "access delete incomplete"),
        /** Overwrites whatever was there. */
        OW("OW", "update"),
        OW_ACCESS("OW", "access update"),
        OW_INSERT("OW", "insert"),
        /** Removes the key without reading it. */
        RM("RM", "delete"),
        /** Not a key for data's sake: its name only. */
        RM_META("RM", "");

        private final String kind;
        private final String actions;

        Access(String kind, String actions) {
            this.kind = kind;
            this.actions = actions;
        }

        /** The flags as COMMAND INFO and COMMAND GETKEYSANDFLAGS spell them. */
        public List<String> spelling() {
            return actions.isEmpty()
                    ? List.of(kind)
                    : List.of((kind + " " + actions.toLowerCase(Locale.ROOT)).split(" "));
        }

        public boolean reads() {
            return !actions.isEmpty() && actions.contains("access");
        }

        public boolean writes() {
            return !kind.equals("RO") && !kind.equals("not_key");
        }
    }

    /**
     * Keys at fixed positions: from {@code first} to {@code last}, every {@code step}th.
     *
     * @param last the last argument that can be a key; negative values count from the end, -1 is the last argument
     */
    record Range(int first, int last, int step, Access access) implements KeySpec {
        @Override
        public void forEachKey(Request request, IntConsumer action) {
            int count = request.count();
            int end = last < 0 ? count + last : Math.min(last, count - 1);
            for (int i = first; i <= end; i += step) {
                action.accept(i);
            }
        }
    }

    /** A number of keys stands at {@code at}, and that many keys follow it. */
    record Counted(int at, Access access) implements KeySpec {
        @Override
        public void forEachKey(Request request, IntConsumer action) {
            if (at >= request.count()) {
                return;
            }
            long keys = Arguments.smallCount(request, at);
            if (keys > request.count() - at - 1) {
                return;
            }
            for (int i = 1; i <= keys; i++) {
                action.accept(at + i);
            }
        }
    }

    /**
     * Keys whose places COMMAND INFO calls unknown, as Redis does: names made from data, or a word that may stand anywhere.
     *
     * @param found what can be found of them all the same
     */
    record Unstated(KeySpec found) implements KeySpec {
        @Override
        public void forEachKey(Request request, IntConsumer action) {
            found.forEachKey(request, action);
        }

        @Override
        public Access access() {
            return found.access();
        }
    }

    /** Keys that no argument names. */
    record Nowhere(Access access) implements KeySpec {
        @Override
        public void forEachKey(Request request, IntConsumer action) {
            // there is none to be found
        }
    }

    /** One key follows a word, which may stand anywhere after {@code from}; if it stands there twice, the last one counts. */
    record After(String word, int from, Access access) implements KeySpec {
        @Override
        public void forEachKey(Request request, IntConsumer action) {
            for (int i = request.count() - 2; i >= from; i--) {
                if (request.is(i, word)) {
                    action.accept(i + 1);
                    return;
                }
            }
        }
    }

    /**
     * The first half of the arguments behind a word are keys; the other half belongs to them, one to each. The word stands among options: it
     * is the first argument that is this word and belongs to none of them.
     *
     * @param options how many arguments each of the options has that may stand before the word
     */
    record Halved(String word, int from, Map<String, Integer> options, Access access) implements KeySpec {

        public Halved {
            options = Map.copyOf(options);
        }

        @Override
        public void forEachKey(Request request, IntConsumer action) {
            int first = first(request);
            int keys = (request.count() - first) / 2;
            for (int i = 0; i < keys; i++) {
                action.accept(first + i);
            }
        }

        /** Where the first key stands; behind the last argument if the word is missing. */
        private int first(Request request) {
            int at = 1;
            while (at < request.count() && !request.is(at, word)) {
                at += 1 + argumentsOf(request, at);
            }
            return at + 1;
        }

        private int argumentsOf(Request request, int at) {
            for (Map.Entry<String, Integer> option : options.entrySet()) {
                if (request.is(at, option.getKey())) {
                    return option.getValue();
                }
            }
            return 0;
        }
    }

    /** All arguments behind a word are keys; the word may stand anywhere after {@code from}, and counts where it stands first. */
    record Rest(String word, int from, Access access) implements KeySpec {
        @Override
        public void forEachKey(Request request, IntConsumer action) {
            int at = from;
            while (at < request.count() && !request.is(at, word)) {
                at++;
            }
            for (int i = at + 1; i < request.count(); i++) {
                action.accept(i);
            }
        }
    }
}
