package dev.heddle.it;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;

/** How much of a reply has to be the same on two servers. */
enum Form {
    /** Every byte. */
    EXACT,
    /** The same elements in any order. */
    SET,
    /** The same pairs of elements in any order: a map in RESP3, a flat array or an array of pairs otherwise. */
    PAIRS,
    /** A cursor, then the same elements in any order. */
    SCAN,
    /** A cursor, then the same pairs in any order. */
    SCAN_PAIRS,
    /** The types of all parts and the lengths of arrays: for random elements. */
    SHAPE,
    /** The types at the top only: for clocks, identifiers and reports. */
    TYPE,
    /** Integers that are at most 100 apart: for what is left of a time to live in milliseconds. */
    NEAR,
    /** The types at the top only, once neither server is writing a snapshot: while one is, how far it is decides the reply. */
    SETTLED,
    /** No reply comes. */
    NONE;

    private static final long NEAR_DISTANCE = 100;

    /** The form that a script calls by this name. */
    static Form of(String name) {
        return valueOf(name.toUpperCase(Locale.ROOT).replace('-', '_'));
    }

    /** Whether both replies are the same in this form. */
    boolean same(Reply one, Reply other) {
        if (this == NEAR && one.type() == ':' && other.type() == ':') {
            return Math.abs(one.integer() - other.integer()) <= NEAR_DISTANCE;
        }
        return view(one).equals(view(other));
    }

    /** What of the reply has to be the same. Errors are compared by every byte in every form. */
    String view(Reply reply) {
        if (reply.isError()) {
            return reply.bytes();
        }
        return switch (this) {
            case EXACT, NEAR, NONE -> reply.bytes();
            case SET -> reply.head() + sorted(reply.elements(), 1);
            case PAIRS -> reply.head() + sortedPairs(reply);
            case SCAN -> scan(reply, page -> sorted(page.elements(), 1));
            case SCAN_PAIRS -> scan(reply, Form::sortedPairs);
            case SHAPE -> shape(reply);
            case TYPE, SETTLED -> String.valueOf(reply.type());
        };
    }

    private static String scan(Reply reply, Function<Reply, String> page) {
        return reply.elements().size() == 2
                ? reply.elements().get(0).bytes() + page.apply(reply.elements().get(1))
                : reply.bytes();
    }

    private static String sortedPairs(Reply reply) {
        boolean nested = !reply.elements().isEmpty()
                && reply.elements().stream()
                        .allMatch(element -> element.elements().size() == 2);
        return sorted(reply.elements(), nested ? 1 : 2);
    }

    private static String sorted(List<Reply> elements, int groupSize) {
        List<String> groups = new ArrayList<>();
        for (int i = 0; i < elements.size(); i += groupSize) {
            groups.add(elements.subList(i, Math.min(i + groupSize, elements.size())).stream()
                    .map(Reply::bytes)
                    .collect(Collectors.joining()));
        }
        groups.sort(Comparator.naturalOrder());
        return groups.toString();
    }

    private static String shape(Reply reply) {
        String own = reply.type() + (reply.elements().isEmpty() ? "" : reply.head());
        return own + reply.elements().stream().map(Form::shape).toList();
    }
}
