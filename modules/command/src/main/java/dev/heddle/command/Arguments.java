package dev.heddle.command;

import dev.heddle.resp.Numbers;
import dev.heddle.resp.Request;

/** Reading numbers out of a request. Stateless. */
final class Arguments {

    private Arguments() {}

    /** A count of keys, or 0 if the argument is not a positive number that a request can hold. */
    static long smallCount(Request request, int index) {
        byte[] array = request.array(index);
        int offset = request.offset(index);
        int length = request.length(index);
        if (!Numbers.isLong(array, offset, length)) {
            return 0;
        }
        long value = Numbers.parseLong(array, offset, length);
        return value > 0 && value <= Integer.MAX_VALUE ? value : 0;
    }

    /** @throws CommandException "value is not an integer or out of range" */
    static long longAt(Request request, int index) {
        byte[] array = request.array(index);
        int offset = request.offset(index);
        int length = request.length(index);
        if (!Numbers.isLong(array, offset, length)) {
            throw CommandException.NOT_INTEGER;
        }
        return Numbers.parseLong(array, offset, length);
    }
}
