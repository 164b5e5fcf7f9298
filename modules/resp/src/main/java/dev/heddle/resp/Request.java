package dev.heddle.resp;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One parsed command: its name and arguments as slices of byte arrays. Argument 0 is the name.
 *
 * <p>A request that came from a {@link RequestReader} is valid until the next call of that reader's {@code room()},
 * {@code next()} or {@code idle()}; {@link #detach()} makes one that stays. Nobody may change the bytes.
 *
 * <p>Confined to the connection's thread. A detached request may be handed to another thread.
 */
public final class Request {
    private static final int FIRST_SLOTS = 8;
    private static final int KEPT_SLOTS = 1024;
    private static final byte[] NOTHING = {};

    /* All mutable fields are confined to the thread that owns the reader. */
    private int count;
    private int[] offsets = new int[FIRST_SLOTS];
    private int[] lengths = new int[FIRST_SLOTS];

    /** Holds every argument as long as {@link #arrays} is null. */
    private byte[] base = NOTHING;

    /** The array of each argument, made only when they do not all live in {@link #base}. */
    private byte @Nullable [][] arrays;

    Request() {}

    /** A request of these arguments, which become the request's own: the caller no longer changes them. */
    public static Request of(byte[]... arguments) {
        var request = new Request();
        request.spread();
        for (byte[] argument : arguments) {
            request.add(argument, 0, argument.length);
        }
        return request;
    }

    /** Number of arguments, the command's name included. */
    public int count() {
        return count;
    }

    /** The array in which argument {@code i} lies, from {@link #offset} on for {@link #length} bytes. */
    public byte[] array(int i) {
        byte @Nullable [][] each = arrays;
        return each == null ? base : each[i];
    }

    /** Where argument {@code i} begins in {@link #array}. */
    public int offset(int i) {
        return offsets[i];
    }

    /** How many bytes argument {@code i} has. */
    public int length(int i) {
        return lengths[i];
    }

    /** A fresh array with the bytes of argument {@code i}. */
    public byte[] copy(int i) {
        int from = offsets[i];
        return Arrays.copyOfRange(array(i), from, from + lengths[i]);
    }

    /**
     * An array with exactly the bytes of argument {@code i} that the caller may keep, as immutable: a big argument's
     * own array, otherwise a copy.
     */
    public byte[] take(int i) {
        return isWholeArray(i) ? array(i) : copy(i);
    }

    /** Whether argument {@code i} equals a word, given in upper-case ASCII, ignoring case. */
    public boolean is(int i, String upperAscii) {
        int length = lengths[i];
        if (length != upperAscii.length()) {
            return false;
        }
        byte[] array = array(i);
        int from = offsets[i];
        for (int k = 0; k < length; k++) {
            int c = array[from + k];
            if (c >= 'a' && c <= 'z') {
                c -= 'a' - 'A';
            }
            if (c != upperAscii.charAt(k)) {
                return false;
            }
        }
        return true;
    }

    /** Argument {@code i} with one character for each byte (ISO 8859-1), for messages and options. */
    public String string(int i) {
        return new String(array(i), offsets[i], lengths[i], StandardCharsets.ISO_8859_1);
    }

    /** A copy that stays valid; only big arguments, which are immutable and lie in arrays of their own, are shared. */
    public Request detach() {
        int bytes = 0;
        boolean shares = false;
        for (int i = 0; i < count; i++) {
            if (isWholeArray(i)) {
                shares = true;
            } else {
                bytes = Math.addExact(bytes, lengths[i]);
            }
        }
        var copy = new Request();
        copy.base = new byte[bytes];
        copy.offsets = new int[count];
        copy.lengths = new int[count];
        if (shares) {
            copy.spread();
        }
        int at = 0;
        for (int i = 0; i < count; i++) {
            if (isWholeArray(i)) {
                copy.add(array(i), 0, lengths[i]);
            } else {
                System.arraycopy(array(i), offsets[i], copy.base, at, lengths[i]);
                copy.add(copy.base, at, lengths[i]);
                at += lengths[i];
            }
        }
        return copy;
    }

    /** Bytes this command takes on the wire as an array of bulk strings. */
    public long wireBytes() {
        long bytes = 3L + Numbers.digits(count);
        for (int i = 0; i < count; i++) {
            bytes += 5L + Numbers.digits(lengths[i]) + lengths[i];
        }
        return bytes;
    }

    private boolean isWholeArray(int i) {
        byte @Nullable [][] each = arrays;
        return each != null && lengths[i] == each[i].length && !same(each[i], base);
    }

    /** Whether two arrays are one and the same; their content does not matter. */
    @SuppressWarnings("ReferenceEquality")
    private static boolean same(byte[] a, byte[] b) {
        return a == b;
    }

    /* The rest is for the reader. */

    /** Forgets the arguments; what a huge command made grow is given up. */
    void clear(byte[] newBase) {
        count = 0;
        base = newBase;
        arrays = null;
        if (offsets.length > KEPT_SLOTS) {
            offsets = new int[FIRST_SLOTS];
            lengths = new int[FIRST_SLOTS];
        }
    }

    /** Appends an argument that lies in the base array. */
    void add(int offset, int length) {
        int i = count;
        if (i == offsets.length || arrays != null) {
            add(base, offset, length);
            return;
        }
        offsets[i] = offset;
        lengths[i] = length;
        count = i + 1;
    }

    /** Appends an argument that lies in any array; for another one than the base array, {@link #spread} came before. */
    void add(byte[] array, int offset, int length) {
        int i = count;
        if (i == offsets.length) {
            int slots = Math.max(FIRST_SLOTS, 2 * i);
            offsets = Arrays.copyOf(offsets, slots);
            lengths = Arrays.copyOf(lengths, slots);
        }
        byte @Nullable [][] each = arrays;
        if (each != null) {
            if (i >= each.length) {
                each = Arrays.copyOf(each, offsets.length);
                arrays = each;
            }
            each[i] = array;
        }
        offsets[i] = offset;
        lengths[i] = length;
        count = i + 1;
    }

    /** From now on every argument has an array of its own. */
    void spread() {
        if (arrays == null) {
            var each = new byte[Math.max(FIRST_SLOTS, offsets.length)][];
            Arrays.fill(each, 0, count, base);
            arrays = each;
        }
    }

    /** Where the first argument at or after {@code from} that lies in the base array begins, or -1. */
    int firstInBase(int from) {
        for (int i = from; i < count; i++) {
            if (same(array(i), base)) {
                return offsets[i];
            }
        }
        return -1;
    }

    /** The base array's content moved {@code by} bytes towards the front, perhaps into another array. */
    void rebase(int from, byte[] newBase, int by) {
        byte[] old = base;
        byte @Nullable [][] each = arrays;
        for (int i = from; i < count; i++) {
            if (each == null) {
                offsets[i] -= by;
            } else if (same(each[i], old)) {
                each[i] = newBase;
                offsets[i] -= by;
            }
        }
        base = newBase;
    }

    /** Later arguments lie in a new base array, those so far stay where they are. */
    void continueIn(byte[] newBase) {
        spread();
        base = newBase;
    }

    /** Bytes taken by the slots. */
    long slotBytes() {
        byte @Nullable [][] each = arrays;
        return 8L * offsets.length + (each == null ? 0 : 4L * each.length);
    }
}
