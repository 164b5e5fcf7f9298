package dev.heddle.persistence.aof;

import dev.heddle.command.Effect;
import dev.heddle.resp.Numbers;
import dev.heddle.resp.Request;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * Records on their way from the commands to the writer, in RESP form.
 *
 * <p>Thread-safe: everything is guarded by {@link #lock}, which is held for the copying of one record and never while waiting.
 */
final class RecordQueue {

    /*
     * A record is encoded once, straight from the request into a chunk, by the thread that has run the command. It does so under the
     * queue's lock: the order of records in the file is the order in which threads come here, and as they still hold
     * the stripes of their keys, that is the order of execution for every key. Encoding first and copying later would halve the time under the
     * lock and double the memory traffic; one record of a small command costs about as much as the uncontended lock itself.
     *
     * The writer takes stretches of chunks, not copies: a chunk is filled from the front, and what lies behind the
     * stretch taken last belongs to the queue, what lies before it to the writer. So many small batches share one chunk. A full
     * chunk comes back through recycle once it is written. Big arguments have arrays of their own that nobody changes; they are
     * queued as they are.
     *
     * Positions count the bytes of all records since the start. A record's ticket is the position of its end.
     */

    /** Bytes of a chunk. */
    private static final int CHUNK = 64 * 1024;
    /** An argument of this size or more that has an array of its own is not copied. */
    private static final int SHARED = 16 * 1024;
    /** A header: a type byte, a number, a line end. */
    private static final int HEADER = Numbers.MAX_LONG_BYTES + 3;

    private static final int SPARE_CHUNKS = 16;
    /** How often somebody looks whether the lock is free before waiting for it. */
    private static final int SPINS = 64;

    private static final int NO_DATABASE = -1;
    private static final byte[] SELECT = ascii("*2\r\n$6\r\nSELECT\r\n");
    private static final byte[] MULTI = ascii("*1\r\n$5\r\nMULTI\r\n");
    private static final byte[] EXEC = ascii("*1\r\n$4\r\nEXEC\r\n");
    private static final byte[] LINE_END = ascii("\r\n");

    /** Something for the writer to do, in its place among the records. */
    sealed interface Item {}

    /**
     * Bytes to be written. Not changed any more.
     *
     * @param lastOfChunk whether the array is a chunk that is full, and may be used again after this stretch
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Stretch(byte[] array, int offset, int length, boolean lastOfChunk) implements Item {}

    /** Behind what comes before, the writer goes on in another file. */
    record Turn(FileSwitch to) implements Item {}

    private final InstantSource clock;
    private final BooleanSupplier timestamps;
    private final ReentrantLock lock = new ReentrantLock();
    private final ArrayDeque<byte[]> spare = new ArrayDeque<>(2 * SPARE_CHUNKS);
    private List<Item> items = new ArrayList<>();
    private byte[] chunk = new byte[CHUNK];
    /** Where the stretch that the writer has not yet taken begins. */
    private int start;

    private int at;
    private long position;
    /** The database that the last SELECT has chosen. */
    private int selected = NO_DATABASE;

    private long annotatedSecond;
    private boolean closed = true;

    // what mark() has remembered
    private int markedItems;
    private byte[] markedChunk = chunk;
    private int markedStart;
    private int markedAt;
    private long markedPosition;
    private int markedDatabase;

    /** How many turns the writer has not yet taken; written under the lock. */
    private volatile int turns;
    /** Follows {@link #position}, for those who only want to know; written under the lock. */
    private volatile long end;

    /** @param timestamps whether records are to be preceded by the time */
    RecordQueue(InstantSource clock, BooleanSupplier timestamps) {
        this.clock = clock;
        this.timestamps = timestamps;
    }

    /** Takes records from now on; the first one names its database. */
    void open() {
        lock.lock();
        try {
            closed = false;
            selected = NO_DATABASE;
        } finally {
            lock.unlock();
        }
    }

    /** Takes no further records; those that are here stay. */
    void close() {
        lock.lock();
        try {
            closed = true;
        } finally {
            lock.unlock();
        }
    }

    /** Whether there is something for a writer that has written as far as {@code written}. */
    boolean hasWork(long written) {
        return end > written || turns > 0;
    }

    /** The position behind the newest record. */
    long end() {
        return end;
    }

    /** Appends the effects of one command or transaction. Returns the ticket, 0 if the queue is closed. */
    long append(List<Effect> effects) {
        acquire();
        mark();
        try {
            if (closed) {
                return 0;
            }
            annotate();
            select(effects.getFirst().database());
            boolean several = effects.size() > 1;
            if (several) {
                put(MULTI, 0, MULTI.length);
            }
            for (Effect effect : effects) {
                select(effect.database());
                byte[][] command = effect.command();
                header('*', command.length);
                for (byte[] argument : command) {
                    bulk(argument, 0, argument.length);
                }
            }
            if (several) {
                put(EXEC, 0, EXEC.length);
            }
            return done();
        } catch (OutOfMemoryError full) {
            rollback();
            throw full;
        } finally {
            lock.unlock();
        }
    }

    /** Appends one command as it came. Returns the ticket, 0 if the queue is closed. */
    long append(int database, Request request) {
        acquire();
        mark();
        try {
            if (closed) {
                return 0;
            }
            annotate();
            select(database);
            int count = request.count();
            header('*', count);
            for (int i = 0; i < count; i++) {
                bulk(request.array(i), request.offset(i), request.length(i));
            }
            return done();
        } catch (OutOfMemoryError full) {
            rollback();
            throw full;
        } finally {
            lock.unlock();
        }
    }

    /** Makes the writer go on in another file behind the records so far; there, records name their database anew. */
    void turn(FileSwitch to) {
        lock.lock();
        try {
            endStretch(false);
            items.add(new Turn(to));
            int more = turns + 1; // written under the lock alone
            turns = more;
            selected = NO_DATABASE;
            annotatedSecond = 0;
        } finally {
            lock.unlock();
        }
    }

    /** Moves everything that is here to the end of {@code target}, in order. */
    void drainTo(ArrayDeque<Item> target) {
        lock.lock();
        try {
            endStretch(false);
            if (!items.isEmpty()) {
                target.addAll(items);
                items.clear();
                turns = 0;
            }
        } finally {
            lock.unlock();
        }
    }

    /** Takes back a chunk whose last stretch is written. */
    void recycle(byte[] writtenChunk) {
        lock.lock();
        try {
            if (spare.size() < SPARE_CHUNKS) {
                spare.push(writtenChunk);
            }
        } finally {
            lock.unlock();
        }
    }

    // ---- under the lock

    /** Whoever holds the lock needs it for a fraction of a microsecond: parking a thread would take longer than that. */
    private void acquire() {
        for (int i = 0; i < SPINS; i++) {
            if (lock.tryLock()) {
                return;
            }
            Thread.onSpinWait();
        }
        lock.lock();
    }

    private long done() {
        end = position;
        return position;
    }

    private void annotate() {
        if (timestamps.getAsBoolean()) {
            long second = clock.millis() / 1000;
            if (second != annotatedSecond) {
                annotatedSecond = second;
                byte[] line = ascii("#TS:" + second + "\r\n");
                put(line, 0, line.length);
            }
        }
    }

    private void select(int database) {
        if (database != selected) {
            selected = database;
            put(SELECT, 0, SELECT.length);
            byte[] number = Numbers.toBytes(database);
            bulk(number, 0, number.length);
        }
    }

    private void header(char type, int number) {
        if (chunk.length - at < HEADER) {
            nextChunk();
        }
        byte[] b = chunk;
        int from = at;
        b[at++] = (byte) type;
        at = Numbers.write(number, b, at);
        b[at++] = '\r';
        b[at++] = '\n';
        position += at - from;
    }

    private void bulk(byte[] array, int offset, int length) {
        header('$', length);
        if (length >= SHARED && length == array.length) {
            endStretch(false);
            items.add(new Stretch(array, 0, length, false));
            position += length;
        } else {
            put(array, offset, length);
        }
        put(LINE_END, 0, 2);
    }

    private void put(byte[] source, int offset, int length) {
        int from = offset;
        int left = length;
        while (left > 0) {
            if (at == chunk.length) {
                nextChunk();
            }
            int part = Math.min(left, chunk.length - at);
            System.arraycopy(source, from, chunk, at, part);
            at += part;
            from += part;
            left -= part;
        }
        position += length;
    }

    private void nextChunk() {
        byte[] next = spare.isEmpty() ? new byte[CHUNK] : spare.pop();
        endStretch(true);
        chunk = next;
        start = 0;
        at = 0;
    }

    private void endStretch(boolean lastOfChunk) {
        if (at > start || lastOfChunk) {
            items.add(new Stretch(chunk, start, at - start, lastOfChunk));
            start = at;
        }
    }

    /** Remembers where a record begins, to take it back if memory ends in the middle of it. */
    private void mark() {
        markedItems = items.size();
        markedChunk = chunk;
        markedStart = start;
        markedAt = at;
        markedPosition = position;
        markedDatabase = selected;
    }

    private void rollback() {
        items.subList(markedItems, items.size()).clear();
        chunk = markedChunk;
        start = markedStart;
        at = markedAt;
        position = markedPosition;
        selected = markedDatabase;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
