package dev.heddle.command.data;

import dev.heddle.command.Call;
import dev.heddle.command.CommandException;
import dev.heddle.resp.Numbers;
import dev.heddle.resp.Request;
import dev.heddle.store.value.LexRange;
import dev.heddle.store.value.LexRange.Bound;
import dev.heddle.store.value.Ranks;
import dev.heddle.store.value.ScoreRange;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.regex.Pattern;

/** Reads the ends of ranges. Stateless. */
final class RangeArguments {

    private static final CommandException NOT_FLOATS = CommandException.err("min or max is not a float");
    private static final CommandException NOT_ITEMS = CommandException.err("min or max not valid string range item");
    private static final Pattern DECIMAL = Pattern.compile("[+-]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]+)?");

    private RangeArguments() {}

    /** @throws CommandException "min or max is not a float" */
    static ScoreRange scores(Call call, int min, int max) {
        return new ScoreRange(score(call, min), isExclusive(call, min), score(call, max), isExclusive(call, max));
    }

    /** @throws CommandException "min or max not valid string range item" */
    static LexRange members(Call call, int min, int max) {
        return new LexRange(bound(call, min), bound(call, max));
    }

    /** The ranks from one to another, both included; negative ones count from the end. */
    static Ranks ranks(long first, long last, int size) {
        long from = Math.max(first < 0 ? size + first : first, 0);
        long to = Math.min(last < 0 ? size + last : last, size - 1L);
        return from > to ? new Ranks(0, 0) : new Ranks((int) from, (int) to + 1);
    }

    private static boolean isExclusive(Call call, int index) {
        Request request = call.request();
        return request.length(index) > 0 && request.array(index)[request.offset(index)] == '(';
    }

    /**
     * A score as C's strtod reads it, which Redis asks directly here: leading blanks are skipped, a zero byte ends the text, nothing at all
     * is 0, and what is too large is infinite.
     */
    private static double score(Call call, int index) {
        Request request = call.request();
        int skip = isExclusive(call, index) ? 1 : 0;
        byte[] array = request.array(index);
        int from = request.offset(index) + skip;
        int end = request.offset(index) + request.length(index);
        double plain = Numbers.parseDouble(array, from, end - from);
        if (!Double.isNaN(plain)) {
            return plain;
        }
        String text = new String(array, from, end - from, StandardCharsets.ISO_8859_1);
        int zero = text.indexOf('\0');
        text = zero < 0 ? text : text.substring(0, zero);
        if (text.isEmpty()) {
            return 0;
        }
        int start = 0;
        while (start < text.length()
                && (text.charAt(start) == ' ' || (text.charAt(start) >= '\t' && text.charAt(start) <= '\r'))) {
            start++;
        }
        byte[] rest = text.substring(start).getBytes(StandardCharsets.ISO_8859_1);
        double value = Numbers.parseDouble(rest, 0, rest.length);
        if (Double.isNaN(value) && DECIMAL.matcher(text.substring(start)).matches()) {
            value = Double.parseDouble(text.substring(start));
        }
        if (Double.isNaN(value)) {
            throw NOT_FLOATS;
        }
        return value;
    }

    private static Bound bound(Call call, int index) {
        byte[] text = call.arg(index);
        if (text.length == 0) {
            throw NOT_ITEMS;
        }
        boolean whole = text.length == 1 || text[1] == 0;
        switch (text[0]) {
            case '-':
                if (whole) {
                    return Bound.LOWEST;
                }
                throw NOT_ITEMS;
            case '+':
                if (whole) {
                    return Bound.HIGHEST;
                }
                throw NOT_ITEMS;
            case '(':
            case '[':
                return Bound.of(Arrays.copyOfRange(text, 1, text.length), text[0] == '(');
            default:
                throw NOT_ITEMS;
        }
    }
}
