package dev.heddle.command.data;

import dev.heddle.command.Call;
import dev.heddle.command.CommandException;

/**
 * The options of ZADD and ZINCRBY.
 *
 * <p>Immutable.
 *
 * @param absentOnly NX: leaves members alone that are there
 * @param presentOnly XX: adds no members
 * @param greaterOnly GT: only raises scores
 * @param lessOnly LT: only lowers scores
 * @param changes CH: members with a new score are counted too
 * @param increment INCR: the number is added to the score
 * @param first the argument with the first score
 */
record AddRule(
        boolean absentOnly,
        boolean presentOnly,
        boolean greaterOnly,
        boolean lessOnly,
        boolean changes,
        boolean increment,
        int first) {

    /** Whether a member gets the score that is given, whatever there was. */
    boolean isPlain() {
        return !(absentOnly || presentOnly || greaterOnly || lessOnly || increment);
    }

    /** How many pairs of score and member follow. */
    int pairs(Call call) {
        return (call.argc() - first) / 2;
    }

    /** @throws CommandException if the options make no sense, or no pairs follow */
    static AddRule parse(Call call, boolean incrementAlways) {
        boolean nx = false;
        boolean xx = false;
        boolean gt = false;
        boolean lt = false;
        boolean ch = false;
        boolean incr = incrementAlways;
        int at = 2;
        for (boolean option = true; option && at < call.argc(); at += option ? 1 : 0) {
            if (call.is(at, "NX")) {
                nx = true;
            } else if (call.is(at, "XX")) {
                xx = true;
            } else if (call.is(at, "CH")) {
                ch = true;
            } else if (call.is(at, "INCR")) {
                incr = true;
            } else if (call.is(at, "GT")) {
                gt = true;
            } else if (call.is(at, "LT")) {
                lt = true;
            } else {
                option = false;
            }
        }
        int rest = call.argc() - at;
        if (rest == 0 || rest % 2 != 0) {
            throw CommandException.SYNTAX;
        }
        if (nx && xx) {
            throw CommandException.err("XX and NX options at the same time are not compatible");
        }
        if ((gt && nx) || (lt && nx) || (gt && lt)) {
            throw CommandException.err("GT, LT, and/or NX options at the same time are not compatible");
        }
        if (incr && rest > 2) {
            throw CommandException.err("INCR option supports a single increment-element pair");
        }
        return new AddRule(nx, xx, gt, lt, ch, incr, at);
    }
}
