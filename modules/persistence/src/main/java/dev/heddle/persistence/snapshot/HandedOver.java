package dev.heddle.persistence.snapshot;

import dev.heddle.persistence.snapshot.SnapshotFormat.Item;
import dev.heddle.store.Entry;
import dev.heddle.store.EntrySink;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * What waits to be written into a snapshot's file: what writers hand over before they change it, and what the walk has read.
 *
 * <p>Thread-safe: {@link #save} is called under a stripe's exclusive lock; chunks that are full go through a queue, and those that are not are
 * closed by the walk in the end, under the shared lock.
 */
final class HandedOver implements EntrySink {

    /*
     * Each stripe has a chunk of its own, guarded by its lock, so that writers of different stripes do not meet here. A chunk that is full goes into
     * the queue. Larger strings do not go into chunks: the array never changes, so that the reference is the copy, and compressing it is left to
     * the thread that writes the file. Order does not matter, for every key comes once.
     */

    /** A chunk of this size goes into the queue. */
    static final int FULL = 16 << 10;

    private static final int FIRST = 512;
    /** From this length on a string is kept by reference. */
    static final int LARGE = 256;
    /** How many bytes the walk may be ahead of the file. */
    private static final long WALKED_AHEAD = 256 << 10;
    /** About what an item and its place in the queue take. */
    private static final long ITEM_BYTES = 80;

    /** Either a chunk, or an entry that is not written into one yet. */
    sealed interface Parcel {
        /** About how many bytes of heap this keeps. */
        long bytes();

        /** Whether it comes from the walk, not from a writer. */
        boolean walked();
    }

    record Full(Chunk chunk, boolean walked) implements Parcel {
        @Override
        public long bytes() {
            return chunk.capacity();
        }
    }

    record Whole(int database, Item item, boolean walked) implements Parcel {
        @Override
        public long bytes() {
            return ITEM_BYTES + item.key().length + (item.value() instanceof byte[] bytes ? bytes.length : 0);
        }
    }

    private final SnapshotFormat format;
    /** By stripe: each element and its chunk are guarded by the stripe's lock. */
    private final @Nullable Chunk[] open;

    private final ConcurrentLinkedQueue<Parcel> queue = new ConcurrentLinkedQueue<>();
    /** Chunks of the walk that have been written: no more than it may be ahead. */
    private final ConcurrentLinkedQueue<Chunk> free = new ConcurrentLinkedQueue<>();

    private final AtomicLong bytes = new AtomicLong();
    /** The part of {@link #bytes} that comes from the walk. */
    private final AtomicLong walked = new AtomicLong();

    private volatile long peak; // writers who race may miss the very highest
    private final long limit;
    private final Runnable onFull;
    private volatile @Nullable Throwable failure;

    /**
     * @param limit with more bytes than this it calls {@code onFull}, which must not wait
     */
    HandedOver(SnapshotFormat format, int stripes, long limit, Runnable onFull) {
        this.format = format;
        this.open = new Chunk[stripes];
        this.limit = limit;
        this.onFull = onFull;
    }

    @Override
    public void save(int stripe, int database, Entry entry) {
        if (failure != null) {
            return;
        }
        try {
            keep(stripe, database, item(entry));
        } catch (RuntimeException | OutOfMemoryError e) {
            // It is not the fault of the command that happens to run: the snapshot fails, the command goes on.
            failure = e;
        }
    }

    /** For the walk: one that has been written already, if there is one. */
    Chunk emptyChunk(int database) {
        Chunk used = free.poll();
        if (used == null) {
            return new Chunk(database, FULL + (4 << 10));
        }
        used.reset(database, 2 * FULL);
        return used;
    }

    /** Takes a chunk from the walk. */
    void push(Chunk chunk) {
        walked.addAndGet(chunk.capacity());
        push(new Full(chunk, true), 0);
    }

    /** Takes a large string from the walk. */
    void push(int database, Item item) {
        Whole parcel = new Whole(database, item, true);
        walked.addAndGet(parcel.bytes());
        push(parcel, 0);
    }

    private void keep(int stripe, int database, Item item) {
        if (item.value() instanceof byte[] string && string.length >= LARGE) {
            push(new Whole(database, item, false), 0);
            return;
        }
        Chunk chunk = open[stripe];
        if (chunk != null && chunk.database() != database) {
            push(new Full(chunk, false), chunk.capacity());
            chunk = null;
        }
        int before = chunk == null ? 0 : chunk.capacity();
        if (chunk == null) {
            chunk = new Chunk(database, FIRST);
        }
        format.entry(item, false, chunk);
        chunk.countEntry();
        if (chunk.size() >= FULL) {
            open[stripe] = null;
            push(new Full(chunk, false), before);
        } else {
            open[stripe] = chunk;
            count(chunk.capacity() - before);
        }
    }

    /** @param counted how many of its bytes have been counted before */
    private void push(Parcel parcel, long counted) {
        queue.add(parcel);
        count(parcel.bytes() - counted);
    }

    private void count(long more) {
        if (more == 0) {
            return;
        }
        long now = bytes.addAndGet(more);
        if (now > peak) {
            peak = now;
        }
        if (now > limit) {
            onFull.run();
        }
    }

    static Item item(Entry entry) {
        return new Item(entry.key(), entry.value(), entry.expireAt(), entry.access());
    }

    /** The next full parcel, or null. */
    @Nullable
    Parcel poll() {
        return queue.poll();
    }

    /** Says that what was in a parcel has been written. */
    void written(Parcel parcel) {
        bytes.addAndGet(-parcel.bytes());
        if (parcel.walked()) {
            walked.addAndGet(-parcel.bytes());
            if (parcel instanceof Full full) {
                free.add(full.chunk());
            }
        }
    }

    /** Moves the chunk of a stripe into the queue. Needs the stripe's lock, shared at least. */
    void close(int stripe) {
        Chunk chunk = open[stripe];
        if (chunk != null) {
            open[stripe] = null;
            push(new Full(chunk, false), chunk.capacity());
        }
    }

    /** About how many bytes of heap all of this keeps. */
    long bytes() {
        return bytes.get();
    }

    /** The most there was. */
    long peak() {
        return peak;
    }

    /** Whether so much waits to be written that nothing should delay it. */
    boolean isCrowded() {
        return bytes.get() > limit / 4;
    }

    /** Whether the walk should wait: it need not be far ahead of the file, and what writers hand over goes first. */
    boolean isFullForWalk() {
        return walked.get() > WALKED_AHEAD || isCrowded();
    }

    /** What went wrong while a writer handed something over. */
    @Nullable
    Throwable failure() {
        return failure;
    }
}
