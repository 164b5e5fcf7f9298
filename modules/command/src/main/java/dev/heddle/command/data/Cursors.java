package dev.heddle.command.data;

import dev.heddle.command.Call;
import dev.heddle.command.CommandException;
import dev.heddle.resp.Request;

/** Reads the cursors of SCAN and its relatives. Stateless. */
final class Cursors {

    private static final CommandException INVALID = CommandException.err("invalid cursor");

    private Cursors() {}

    /**
     * An argument as C's strtoul reads it: an unsigned number of 64 bits, perhaps with a sign, in which case -1 is the greatest; an empty
     * argument is 0.
     *
     * @throws CommandException "invalid cursor"
     */
    static long parse(Call call, int index) {
        Request request = call.request();
        byte[] array = request.array(index);
        int at = request.offset(index);
        int end = at + request.length(index);
        if (at == end) {
            return 0;
        }
        boolean negative = array[at] == '-';
        if (negative || array[at] == '+') {
            at++;
        }
        if (at == end) {
            throw INVALID;
        }
        long cursor = 0;
        for (; at < end; at++) {
            int digit = array[at] - '0';
            long limit = Long.divideUnsigned(-1L - digit, 10);
            if (digit < 0 || digit > 9 || Long.compareUnsigned(cursor, limit) > 0) {
                throw INVALID;
            }
            cursor = cursor * 10 + digit;
        }
        return negative ? -cursor : cursor;
    }
}
