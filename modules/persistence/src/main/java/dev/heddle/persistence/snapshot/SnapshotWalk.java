package dev.heddle.persistence.snapshot;

import dev.heddle.persistence.snapshot.SnapshotFormat.Item;
import dev.heddle.store.Entry;
import dev.heddle.store.EntrySink;
import dev.heddle.store.Snapshot;
import dev.heddle.store.Store;
import dev.heddle.store.StripeLocks;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Walks a snapshot to its end, on a virtual thread of its own, and leaves what it has read to the thread that writes the file.
 *
 * <p>Confined to its thread, but for {@link #failure}, which is read when it has ended.
 */
final class SnapshotWalk implements Runnable {

    /*
     * The walk is one more virtual thread among those of the connections. A platform thread would get as much from the operating system as
     * all connections of a carrier together, and could be interrupted for milliseconds while it holds the lock of a stripe. Files block
     * carriers, so they are not written here.
     *
     * It works in slices. On a busy server it rests nine times as long as the slice took, and so takes a tenth of a processor: reading all
     * entries means missing the caches several times for each, and whatever it takes is missing elsewhere. On a server that is hardly used it
     * takes half of one, and all if nobody uses it.
     */

    /** A stripe is held for at most so many small entries, or so many bytes of others. */
    private static final int TURN_ENTRIES = 64;

    private static final int TURN_BYTES = 16 << 10;
    private static final int CHUNK_BYTES = HandedOver.FULL;

    /** After so long others get their turn. */
    private static final long SLICE_NANOS = 200_000;

    private static final int BUSY_REST = 9;

    /** From one command in so many nanoseconds on the server is busy. */
    private static final long BUSY_NANOS = 50_000;
    /** The same if somebody waits for the snapshot. */
    private static final long HURRIED_SLICE_NANOS = 1_000_000;

    private static final long CATCH_UP_NANOS = 1_000_000;

    private final Store store;
    private final Snapshot snapshot;
    private final SnapshotFormat format;
    private final HandedOver queue;
    private final StripeLocks locks;
    private final boolean hurries;
    private final LongSupplier activity;
    private final List<Item> large = new ArrayList<>();
    private Chunk chunk;
    private final EntrySink taker = this::take;
    private final BooleanSupplier turnIsOver = this::turnIsOver;
    private int turnEntries;
    private int turnStart;
    private @Nullable Throwable failure;

    /**
     * @param hurries whether somebody waits for the snapshot
     * @param activity a number that grows while the server is used
     */
    SnapshotWalk(
            Store store,
            Snapshot snapshot,
            SnapshotFormat format,
            HandedOver queue,
            boolean hurries,
            LongSupplier activity) {
        this.store = store;
        this.snapshot = snapshot;
        this.format = format;
        this.queue = queue;
        this.chunk = queue.emptyChunk(0);
        this.locks = new StripeLocks(store);
        this.hurries = hurries;
        this.activity = activity;
    }

    /** Why the snapshot is not complete, if it is not. */
    @Nullable
    Throwable failure() {
        return failure;
    }

    @Override
    public void run() {
        try {
            walk();
            closeChunks();
        } catch (RuntimeException | OutOfMemoryError e) {
            failure = e;
        } finally {
            finish();
        }
    }

    private void walk() {
        long slice = hurries ? HURRIED_SLICE_NANOS : SLICE_NANOS;
        long seen = activity.getAsLong();
        long lookedAt = System.nanoTime();
        long begun = lookedAt;
        while (!snapshot.isAbandoned() && turn()) {
            long now = System.nanoTime();
            if (now - begun > slice) {
                long count = activity.getAsLong();
                rest(now - begun, hurries ? 0 : count - seen, now - lookedAt);
                seen = count;
                lookedAt = now;
                while (queue.isFullForWalk() && !snapshot.isAbandoned()) {
                    LockSupport.parkNanos(this, CATCH_UP_NANOS);
                }
                begun = System.nanoTime();
            }
        }
    }

    /** @param commands how many have been run within so many nanoseconds */
    private void rest(long worked, long commands, long nanos) {
        if (commands == 0) {
            Thread.yield();
        } else {
            LockSupport.parkNanos(this, commands * BUSY_NANOS > nanos ? BUSY_REST * worked : worked);
        }
    }

    private boolean turn() {
        turnEntries = 0;
        turnStart = chunk.size();
        boolean more = snapshot.step(locks, taker, turnIsOver);
        for (Item item : large) {
            queue.push(chunk.database(), item);
        }
        large.clear();
        if (chunk.size() >= CHUNK_BYTES) {
            pushChunk(chunk.database());
        }
        return more;
    }

    private boolean turnIsOver() {
        return turnEntries >= TURN_ENTRIES || chunk.size() - turnStart >= TURN_BYTES;
    }

    private void take(int stripe, int database, Entry entry) {
        if (database != chunk.database()) {
            pushChunk(database);
            turnStart = 0;
        }
        turnEntries++;
        Item item = HandedOver.item(entry);
        if (item.value() instanceof byte[] string && string.length >= HandedOver.LARGE) {
            large.add(item);
        } else {
            format.entry(item, true, chunk);
            chunk.countEntry();
        }
    }

    private void pushChunk(int nextDatabase) {
        if (chunk.entries() > 0) {
            queue.push(chunk);
        }
        chunk = queue.emptyChunk(nextDatabase);
    }

    /** What writers have not filled: nothing will be added any more. */
    private void closeChunks() {
        pushChunk(0);
        for (int stripe = 0; stripe < store.stripeCount(); stripe++) {
            locks.lockStripe(stripe, false);
            try {
                queue.close(stripe);
            } finally {
                locks.unlock();
            }
        }
    }

    /** Whatever happened, the store is afterwards as if there had been no snapshot. */
    private void finish() {
        if (locks.isHeld()) {
            locks.unlock();
        }
        snapshot.abandon(); // without effect if everything has been walked
        BooleanSupplier bucketsAreEnough = () -> ++turnEntries % TURN_ENTRIES == 0;
        while (snapshot.step(locks, (stripe, database, entry) -> {}, bucketsAreEnough)) {
            Thread.yield();
        }
        locks.wantAll();
        locks.lockWanted(true);
        try {
            snapshot.end(locks);
        } finally {
            locks.unlock();
        }
    }
}
