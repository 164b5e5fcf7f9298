package dev.heddle.command.admin;

import dev.heddle.command.KeySpec;
import dev.heddle.resp.ReplyWriter;
import java.util.List;

/** Key specifications as COMMAND INFO tells them, in the new and in the old form. Stateless. */
final class KeyRanges {

    private static final KeySpec.Range NONE = new KeySpec.Range(0, 0, 0, KeySpec.Access.RO);

    private KeyRanges() {}

    /**
     * The old form: first key, last key, step. Several ranges are told as one if they lie side by side; keys that cannot be found by their
     * place alone are left out.
     */
    static KeySpec.Range contiguous(List<KeySpec> specs) {
        if (specs.size() == 1 && specs.getFirst() instanceof KeySpec.Range only) {
            return only;
        }
        int first = Integer.MAX_VALUE;
        int last = 0;
        for (KeySpec spec : specs) {
            if (spec instanceof KeySpec.Range range && range.step() == 1 && (last == 0 || last == range.first() - 1)) {
                first = Math.min(first, range.first());
                last = range.last() < 0 ? range.last() : Math.max(last, range.last());
            }
        }
        return last == 0 ? NONE : new KeySpec.Range(first, last, 1, KeySpec.Access.RO);
    }

    /** The new form: where to begin to look, and how to go on from there. */
    static void describe(ReplyWriter reply, KeySpec spec) {
        reply.map(3);
        reply.bulk("flags");
        CommandReplies.words(reply, spec.access().spelling());
        switch (spec) {
            case KeySpec.Range range -> {
                int last = range.last() < 0 ? range.last() : range.last() - range.first();
                beginAtIndex(reply, range.first());
                findRange(reply, last, range.step());
            }
            case KeySpec.Counted counted -> {
                beginAtIndex(reply, counted.at());
                step(reply, "find_keys", "keynum", 3);
                number(reply, "keynumidx", 0);
                number(reply, "firstkey", 1);
                number(reply, "keystep", 1);
            }
            case KeySpec.After after -> {
                step(reply, "begin_search", "keyword", 2);
                reply.bulk("keyword");
                reply.bulk(after.word());
                number(reply, "startfrom", after.from());
                findRange(reply, 0, 1);
            }
            case KeySpec.Halved halved -> {
                step(reply, "begin_search", "keyword", 2);
                reply.bulk("keyword");
                reply.bulk(halved.word());
                number(reply, "startfrom", halved.from());
                findRange(reply, -1, 1, 2);
            }
            case KeySpec.Unstated unstated -> unknown(reply);
            case KeySpec.Nowhere nowhere -> unknown(reply);
            case KeySpec.Rest rest -> {
                step(reply, "begin_search", "keyword", 2);
                reply.bulk("keyword");
                reply.bulk(rest.word());
                number(reply, "startfrom", -2); // Redis looks for it from the last argument but one backwards
                findRange(reply, -1, 1);
            }
        }
    }

    private static void unknown(ReplyWriter reply) {
        step(reply, "begin_search", "unknown", 0);
        step(reply, "find_keys", "unknown", 0);
    }

    private static void beginAtIndex(ReplyWriter reply, int index) {
        step(reply, "begin_search", "index", 1);
        number(reply, "index", index);
    }

    private static void findRange(ReplyWriter reply, int last, int step) {
        findRange(reply, last, step, 0);
    }

    /** @param limit by how much what is left of the arguments is divided */
    private static void findRange(ReplyWriter reply, int last, int step, int limit) {
        step(reply, "find_keys", "range", 3);
        number(reply, "lastkey", last);
        number(reply, "keystep", step);
        number(reply, "limit", limit);
    }

    private static void step(ReplyWriter reply, String name, String type, int details) {
        reply.bulk(name);
        reply.map(2);
        reply.bulk("type");
        reply.bulk(type);
        reply.bulk("spec");
        reply.map(details);
    }

    private static void number(ReplyWriter reply, String name, int value) {
        reply.bulk(name);
        reply.integer(value);
    }
}
