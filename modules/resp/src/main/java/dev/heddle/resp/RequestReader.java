package dev.heddle.resp;

/**
 * Cuts the bytes of one client into commands: arrays of bulk strings, or inline commands.
 *
 * <p>The owner reads into {@link #array()} from {@link #writeIndex()} on, at most {@link #room()} bytes, tells {@link
 * #received} how many came, and calls {@link #next()} until it is false:
 *
 * <pre>{@code
 * int room = reader.room();
 * reader.received(in.read(reader.array(), reader.writeIndex(), room));
 * while (reader.next()) {
 *     execute(reader.request());
 * }
 * }</pre>
 *
 * <p>Confined to one connection's thread.
 */
public final class RequestReader {
    /*
     * Memory follows the bytes that arrived, never the sizes that were announced, and a command's arguments are slices
     * of the input buffer, so that a small command costs no allocation.
     *
     * The buffer begins at 1 KiB, doubles up to 64 KiB whenever a read filled it, and goes back when reads stay small
     * or the connection is parked. A command that is only partly there must stay in place until its end arrives, for
     * its arguments are slices already. When the buffer is short of room there are four ways on, cheapest first:
     *
     *   - nothing is needed any more: begin again at index 0;
     *   - more than half of it is dead: move what lives to the front;
     *   - it is not yet 64 KiB: twice the size;
     *   - it is full of arguments: leave it to them ("spill") and go on in a fresh one, taking along only the bytes not
     *     yet parsed. So a command of a million arguments is never copied, and no array is longer than 64 KiB for it.
     *
     * Each way gains at least a quarter of the buffer, which keeps the work per byte constant. Only a line that has no
     * end (an inline command) goes beyond 64 KiB, by one doubling: then it is an error.
     *
     * An argument of 32 KiB or more gets an array of its own, which doubles as bytes arrive and ends at its exact size,
     * so that it can be stored without a copy. While much of it is missing the owner reads straight into that array.
     *
     * Parsing resumes where it stopped: the state is (missing, bulk, big, scanned). An argument counts only when it and
     * its line end are there, and a length line is looked at again from its start only if it is shorter than 12 bytes.
     */

    private static final int SMALLEST = 1024;
    private static final int LARGEST = 64 * 1024;
    private static final int BIG = 32 * 1024;

    /** What must be missing of a big argument for reading straight into it. */
    private static final int DIRECT = 16 * 1024;

    /** So many reads in a row that left three quarters of the buffer unused halve it. */
    private static final int SMALL_READS = 256;

    /** Below this the query buffer limit need not be looked at; the smallest value it can be set to. */
    private static final int NEVER_OVER_LIMIT = 1024 * 1024;

    private static final int NONE = -1;
    private static final byte[] NO_BYTES = {};

    private final ProtocolLimits limits;
    private final Request request = new Request();
    private final Inline inline = new Inline(request);

    /* All mutable fields are confined to the connection's thread. */
    private byte[] buffer = new byte[SMALLEST];
    private int parsed;
    private int filled;

    /** How far the unfinished line at {@link #parsed} has been searched for its end. */
    private int scanned;

    /** Arguments of the current command still to come; 0 between commands. */
    private int missing;

    /** Announced length of the argument being read; {@link #NONE} if its length line is not yet parsed. */
    private int bulk = NONE;

    /** The big argument being read, and how much of it is there; {@link #NO_BYTES} if there is none. */
    private byte[] big = NO_BYTES;

    private int bigFilled;

    /** Whether the owner was told to read into {@link #big}. */
    private boolean direct;

    /** Index of the first argument that may lie in {@link #buffer}; those before were spilled. */
    private int firstHere;

    /** Bytes of the current command in spilled buffers and in big arguments that are complete. */
    private long held;

    private long queued;
    private int smallReads;
    private boolean grow;
    private boolean authenticated = true;
    private boolean fresh = true;
    private boolean strict;

    /** A reader at the beginning of a stream, of an authenticated client. */
    public RequestReader(ProtocolLimits limits) {
        this.limits = limits;
    }

    /**
     * From now on what follows an argument must be a line end; otherwise it is passed over unseen, as Redis does with its clients. For
     * files, where such bytes mean that something is damaged.
     */
    public void strict() {
        strict = true;
    }

    /** While this is false a command may have ten arguments of 16,384 bytes. */
    public void authenticated(boolean yes) {
        authenticated = yes;
    }

    /** Bytes of commands queued elsewhere (MULTI) that count against the query buffer limit. */
    public void queued(long bytes) {
        queued = bytes;
    }

    /** Where to read into, valid after {@link #room()}. */
    public byte[] array() {
        return direct ? big : buffer;
    }

    /** The index in {@link #array()} at which the next byte read belongs. */
    public int writeIndex() {
        return direct ? bigFilled : filled;
    }

    /** Makes room for at least one byte and returns for how many; ends the validity of the request. */
    public int room() {
        if (big.length > 0 && parsed == filled && bulk - bigFilled >= DIRECT) {
            direct = true;
            growBig(bigFilled + DIRECT);
            return big.length - bigFilled;
        }
        direct = false;
        int free = buffer.length - filled;
        if ((parsed == filled && missing == 0) || grow || free < buffer.length >> 2) {
            makeRoom();
            free = buffer.length - filled;
        }
        return free;
    }

    /** {@code n} bytes (at least one) were read into {@link #array()} at {@link #writeIndex()}. */
    public void received(int n) {
        if (direct) {
            bigFilled += n;
            return;
        }
        filled += n;
        if (filled == buffer.length) {
            grow = true;
            smallReads = 0;
        } else if (n < buffer.length >> 2) {
            smallReads++;
        } else {
            smallReads = 0;
        }
    }

    /** Whether bytes have arrived that are not yet part of a command returned by {@link #next()}. */
    public boolean hasBuffered() {
        return parsed < filled;
    }

    /** Bytes that have arrived and are not yet part of a command. */
    public long buffered() {
        return (missing == 0 ? 0 : held) + bigFilled + (filled - parsed);
    }

    /** Bytes of memory this reader holds. */
    public long capacity() {
        return held + big.length + buffer.length + request.slotBytes();
    }

    /** The connection will wait: gives up the big buffer unless bytes are in it. Ends the validity of the request. */
    public void idle() {
        if (missing == 0 && parsed == filled) {
            parsed = filled = scanned = 0;
            grow = false;
            smallReads = 0;
            if (buffer.length > SMALLEST) {
                buffer = new byte[SMALLEST];
            }
            release();
        }
    }

    /** The command that {@link #next()} found. */
    public Request request() {
        return request;
    }

    /**
     * Parses on; true if {@link #request()} is a complete command, false if more bytes are needed. Empty commands
     * ({@code *0}, {@code *-1}, blank lines) are skipped.
     *
     * @throws ProtocolException if the bytes are no valid request; the reader must not be used any more
     */
    public boolean next() throws ProtocolException {
        if (missing == 0 && !begin()) {
            return false;
        }
        return arguments();
    }

    /** Starts the next command: false if its first line is not there. */
    private boolean begin() throws ProtocolException {
        release();
        while (parsed < filled) {
            if (buffer[parsed] != '*') {
                int state = inlineCommand();
                if (state != 0) {
                    return state > 0;
                }
            } else {
                int count = countLine();
                if (count > 0) {
                    missing = count;
                    return true;
                }
                if (count == NONE) {
                    return false;
                }
            }
        }
        return needMore();
    }

    /** The count of a command; 0 if it is to be skipped, {@link #NONE} if the line is not complete. */
    private int countLine() throws ProtocolException {
        int count = Numbers.parseLine(buffer, parsed + 1, filled);
        if (count >= 0) {
            parsed += 3 + Numbers.digits(count);
        } else {
            int end = lineEnd((byte) '\r', ProtocolException.TOO_BIG_COUNT_LINE);
            if (end == NONE || end + 1 >= filled) {
                return NONE;
            }
            count = longCount(parsed + 1, end);
            finishLine(end + 2);
        }
        if (count > ProtocolLimits.UNAUTHENTICATED_ARGUMENTS && !authenticated) {
            throw ProtocolException.UNAUTHENTICATED_COUNT;
        }
        fresh = false;
        return count;
    }

    private int longCount(int from, int to) throws ProtocolException {
        long count = Numbers.parseLong(buffer, from, to - from);
        if ((count == Numbers.NOT_A_LONG && !Numbers.isLong(buffer, from, to - from)) || count > Integer.MAX_VALUE) {
            throw ProtocolException.INVALID_COUNT;
        }
        return (int) Math.max(count, 0);
    }

    /** Takes the arguments that are there; true when the command is complete. */
    private boolean arguments() throws ProtocolException {
        while (missing > 0) {
            int length = bulk;
            if (length < 0) {
                length = bulkLine();
                if (length < 0) {
                    return needMore();
                }
            }
            if (length >= BIG) {
                if (!bigArgument()) {
                    return needMore();
                }
            } else {
                int from = parsed;
                if (filled - from < length + 2) {
                    bulk = length;
                    return needMore();
                }
                checkLineEnd(from + length);
                request.add(from, length);
                parsed = from + length + 2;
                bulk = NONE;
            }
            missing--;
        }
        return true;
    }

    /** The length of the next argument, or {@link #NONE} if its line is not complete. */
    private int bulkLine() throws ProtocolException {
        int from = parsed;
        if (from < filled && buffer[from] == '$') {
            int length = Numbers.parseLine(buffer, from + 1, filled);
            if (length >= 0) {
                parsed = from + 3 + Numbers.digits(length);
                return length <= ProtocolLimits.UNAUTHENTICATED_BULK ? length : longBulk(length);
            }
        }
        return unusualBulkLine();
    }

    private int unusualBulkLine() throws ProtocolException {
        int end = lineEnd((byte) '\r', ProtocolException.TOO_BIG_BULK_LINE);
        if (end == NONE || end + 1 >= filled) {
            return NONE;
        }
        if (buffer[parsed] != '$') {
            throw ProtocolException.expectedDollar(buffer[parsed]);
        }
        int from = parsed + 1;
        long length = Numbers.parseLong(buffer, from, end - from);
        if (length < 0) {
            throw ProtocolException.INVALID_BULK;
        }
        int checked = longBulk(length);
        finishLine(end + 2);
        return checked;
    }

    private int longBulk(long length) throws ProtocolException {
        if (length > limits.maxBulk()) {
            throw ProtocolException.INVALID_BULK;
        }
        if (length > ProtocolLimits.UNAUTHENTICATED_BULK && !authenticated) {
            throw ProtocolException.UNAUTHENTICATED_BULK;
        }
        if (length >= BIG) {
            bulk = (int) length;
            bigFilled = 0;
            big = new byte[BIG];
        }
        return (int) length;
    }

    /** Moves what has arrived of the big argument into its array; true when it and its line end are there. */
    private boolean bigArgument() throws ProtocolException {
        int take = Math.min(bulk - bigFilled, filled - parsed);
        if (take > 0) {
            growBig(bigFilled + take);
            System.arraycopy(buffer, parsed, big, bigFilled, take);
            bigFilled += take;
            parsed += take;
        }
        if (bigFilled < bulk || filled - parsed < 2) {
            return false;
        }
        checkLineEnd(parsed);
        parsed += 2;
        request.spread();
        request.add(big, 0, bulk);
        held += bulk;
        big = NO_BYTES;
        bigFilled = 0;
        bulk = NONE;
        return true;
    }

    private void checkLineEnd(int at) throws ProtocolException {
        if (strict && (buffer[at] != '\r' || buffer[at + 1] != '\n')) {
            throw ProtocolException.NO_LINE_END;
        }
    }

    /** Makes the big argument's array twice as long until {@code needed} bytes fit or it has its final size. */
    private void growBig(int needed) {
        int size = big.length;
        if (needed <= size || size == bulk) {
            return;
        }
        while (size < needed && size < bulk) {
            size = (int) Math.min(2L * size, bulk);
        }
        var larger = new byte[size];
        System.arraycopy(big, 0, larger, 0, bigFilled);
        big = larger;
    }

    /** An inline command: 1 if it is complete, 0 if the line was blank, {@link #NONE} if it is not all there. */
    private int inlineCommand() throws ProtocolException {
        if (fresh && buffer[parsed] == 0x16 && (filled - parsed == 1 || buffer[parsed + 1] == 0x03)) {
            if (filled - parsed == 1) {
                return NONE;
            }
            throw ProtocolException.TLS;
        }
        int end = lineEnd((byte) '\n', ProtocolException.TOO_BIG_INLINE);
        if (end == NONE) {
            return NONE;
        }
        fresh = false;
        int to = end > parsed && buffer[end - 1] == '\r' ? end - 1 : end;
        inline.split(buffer, parsed, to);
        finishLine(end + 1);
        return request.count() > 0 ? 1 : 0;
    }

    /**
     * Where the line at {@link #parsed} ends, or {@link #NONE}. Redis searches C strings, so that a zero byte hides
     * the end of the line for ever; so it is here: the line only ever gets too long.
     */
    private int lineEnd(byte terminator, ProtocolException tooLong) throws ProtocolException {
        byte[] b = buffer;
        int end = filled;
        int i = Math.max(scanned, parsed);
        while (i < end && b[i] != terminator && b[i] != 0) {
            i++;
        }
        scanned = i;
        boolean found = i < end && b[i] == terminator;
        if ((found ? i : end) - parsed > ProtocolLimits.LINE) {
            throw tooLong;
        }
        if (found) {
            return i;
        }
        needMore();
        return NONE;
    }

    private void finishLine(int next) {
        parsed = next;
        scanned = next;
    }

    /** Always false. */
    private boolean needMore() throws ProtocolException {
        long all = buffered() + queued;
        if (all > NEVER_OVER_LIMIT && all > limits.queryBufferLimit()) {
            throw ProtocolException.QUERY_BUFFER;
        }
        return false;
    }

    /** Gains room in one of the ways that the essay above lists. */
    private void makeRoom() {
        boolean wanted = grow;
        grow = false;
        int first = missing == 0 ? NONE : request.firstInBase(firstHere);
        int live = first < 0 ? parsed : first;
        int size = buffer.length;
        if (live == filled) {
            resizeEmpty(wanted);
        } else if (live >= size >> 1 && !(wanted && size < LARGEST)) {
            moveTo(buffer, live);
        } else if (size < LARGEST || first < 0) {
            moveTo(size - (filled - live) >= size >> 1 && size >= LARGEST ? buffer : new byte[2 * size], live);
        } else {
            spill();
        }
    }

    private void resizeEmpty(boolean larger) {
        int size = buffer.length;
        if (larger && size < LARGEST) {
            buffer = new byte[2 * size];
        } else if (size > LARGEST || (smallReads > SMALL_READS && size > SMALLEST)) {
            buffer = new byte[size / 2];
            smallReads = 0;
        }
        parsed = filled = scanned = 0;
        if (missing == 0) {
            release();
        } else {
            request.rebase(firstHere, buffer, 0);
        }
    }

    /** The last command is done with: lets go of its arguments. */
    private void release() {
        request.clear(buffer);
        firstHere = 0;
        held = 0;
    }

    /** Moves the bytes from {@code live} on to the front of {@code target}, which may be the buffer itself. */
    private void moveTo(byte[] target, int live) {
        System.arraycopy(buffer, live, target, 0, filled - live);
        buffer = target;
        if (missing == 0) {
            release();
        } else {
            request.rebase(firstHere, target, live);
        }
        parsed -= live;
        filled -= live;
        scanned = Math.max(0, scanned - live);
    }

    /** Leaves the buffer to the arguments in it and goes on in a fresh one. */
    private void spill() {
        int left = filled - parsed;
        var next = new byte[left < LARGEST / 2 ? LARGEST : 2 * LARGEST];
        System.arraycopy(buffer, parsed, next, 0, left);
        held += buffer.length;
        request.continueIn(next);
        firstHere = request.count();
        buffer = next;
        scanned = Math.max(0, scanned - parsed);
        parsed = 0;
        filled = left;
    }
}
