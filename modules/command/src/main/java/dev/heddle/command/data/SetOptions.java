package dev.heddle.command.data;

import dev.heddle.command.Call;
import dev.heddle.command.CommandException;
import dev.heddle.store.Entry;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The options of SET and GETEX.
 *
 * <p>Confined to one call.
 */
final class SetOptions {

    private static final int SET_OPTIONS = 3;
    private static final int GETEX_OPTIONS = 2;

    private boolean ifAbsent;
    private boolean ifPresent;
    private boolean get;
    private boolean keepTtl;
    private boolean persist;
    private @Nullable Deadline form;
    /** Which argument holds the time. */
    private int time;

    private SetOptions() {}

    /** @throws CommandException syntax error */
    static SetOptions ofSet(Call call) {
        SetOptions options = new SetOptions();
        for (int i = SET_OPTIONS; i < call.argc(); i++) {
            if (call.is(i, "NX") && !options.ifPresent) {
                options.ifAbsent = true;
            } else if (call.is(i, "XX") && !options.ifAbsent) {
                options.ifPresent = true;
            } else if (call.is(i, "GET")) {
                options.get = true;
            } else if (call.is(i, "KEEPTTL") && options.form == null) {
                options.keepTtl = true;
            } else {
                i = options.deadlineAt(call, i);
            }
        }
        return options;
    }

    /** @throws CommandException syntax error */
    static SetOptions ofGetEx(Call call) {
        SetOptions options = new SetOptions();
        for (int i = GETEX_OPTIONS; i < call.argc(); i++) {
            if (call.is(i, "PERSIST") && options.form == null) {
                options.persist = true;
            } else {
                i = options.deadlineAt(call, i);
            }
        }
        return options;
    }

    /** Reads an option with a time and returns the index of its last argument. The same option twice is fine, two forms are not. */
    private int deadlineAt(Call call, int index) {
        for (Deadline candidate : Deadline.values()) {
            if (call.is(index, candidate.name())) {
                boolean free = !keepTtl && !persist && (form == null || form == candidate);
                if (!free || index + 1 == call.argc()) {
                    break;
                }
                form = candidate;
                time = index + 1;
                return time;
            }
        }
        throw CommandException.SYNTAX;
    }

    /** Whether SET may go on, given what is there. */
    boolean allows(@Nullable Entry entry) {
        return !(ifAbsent && entry != null) && !(ifPresent && entry == null);
    }

    boolean answersOld() {
        return get;
    }

    boolean keepsDeadline() {
        return keepTtl;
    }

    boolean persists() {
        return persist;
    }

    /** Whether a moment was given, rather than a time to live. */
    boolean absolute() {
        return form != null && !form.relative();
    }

    /** The deadline given, or {@link Entry#NEVER} if there is none. @throws CommandException see {@link Deadline#read} */
    long deadline(Call call) {
        return form == null ? Entry.NEVER : form.read(call, time);
    }

    /** The command without its GET, which changes nothing. */
    byte[][] withoutGet(Call call) {
        List<byte[]> arguments = new ArrayList<>();
        for (int i = 0; i < call.argc(); i++) {
            if (i < SET_OPTIONS || !call.is(i, "GET")) {
                arguments.add(call.arg(i));
            }
        }
        return arguments.toArray(new byte[0][]);
    }
}
