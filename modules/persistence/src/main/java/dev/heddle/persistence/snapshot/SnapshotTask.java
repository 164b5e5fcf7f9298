package dev.heddle.persistence.snapshot;

import dev.heddle.persistence.snapshot.HandedOver.Full;
import dev.heddle.persistence.snapshot.HandedOver.Parcel;
import dev.heddle.persistence.snapshot.HandedOver.Whole;
import dev.heddle.persistence.snapshot.SnapshotFormat.Item;
import dev.heddle.store.Snapshot;
import dev.heddle.store.Store;
import dev.heddle.store.StripeLocks;
import java.io.IOException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * One snapshot: from its moment until all of it has been written into a file.
 *
 * <p>{@link #begin} is called by whoever wants it; {@link #write} by one thread afterwards; {@link #cancel} and the figures by anybody.
 */
final class SnapshotTask {

    private static final int LARGEST_KEPT = 1 << 20;
    /** How long the thread of the file sleeps when there is nothing to write: nobody wakes it, for that would cost those who write. */
    private static final long NAP_NANOS = 500_000;

    private final Store store;
    private final SnapshotFormat format;
    private final HandedOver queue;
    private final Snapshot snapshot;
    private final SnapshotWalk walk;
    private final Thread walker;
    private final long[] keys;
    private final long[] expiring;

    // confined to the thread that writes
    private final Chunk scratch = new Chunk(0, 4 << 10);
    private final boolean[] announced;
    private int current = -1; // the database that the file is at
    private long checksum;

    /**
     * How a snapshot is taken.
     *
     * @param hurries whether somebody waits for it
     * @param limit with more bytes than this waiting to be written, writers are asked to slow down
     * @param activity a number that grows while the server is used
     */
    record Manner(boolean hurries, long limit, LongSupplier activity) {}

    private SnapshotTask(Store store, SnapshotFormat format, Manner manner, Runnable atTheMoment) {
        this.store = store;
        this.format = format;
        this.announced = new boolean[store.databases()];
        this.keys = new long[store.databases()];
        this.expiring = new long[store.databases()];
        this.queue = new HandedOver(format, store.stripeCount(), manner.limit(), this::fallBehind);
        SnapshotFormat walksFormat = format.forAnotherThread();
        StripeLocks locks = new StripeLocks(store);
        locks.wantAll();
        locks.lockWanted(true);
        try {
            atTheMoment.run();
            format.begin(store);
            walksFormat.begin(store);
            snapshot = Snapshot.begin(store, locks, queue);
            for (int i = 0; i < keys.length; i++) {
                keys[i] = snapshot.size(i);
                expiring[i] = snapshot.expiring(i);
            }
        } finally {
            locks.unlock();
        }
        walk = new SnapshotWalk(store, snapshot, walksFormat, queue, manner.hurries(), manner.activity());
        walker = startWalk();
    }

    private Thread startWalk() {
        try {
            return Thread.ofVirtual().name("snapshot-walk").start(walk);
        } catch (OutOfMemoryError | RuntimeException e) {
            snapshot.abandon();
            walk.run();
            throw e;
        }
    }

    /**
     * Fixes the moment: takes all stripes for some microseconds. {@link #write} must follow.
     *
     * @param atTheMoment run while all stripes are held
     */
    static SnapshotTask begin(Store store, SnapshotFormat format, Manner manner, Runnable atTheMoment) {
        return new SnapshotTask(store, format, manner, atTheMoment);
    }

    /** Called by writers. */
    private void fallBehind() {
        Snapshot running = store.snapshot();
        if (running != null) {
            running.behind(true);
        }
    }

    SnapshotFormat format() {
        return format;
    }

    /** Gives up: {@link #write} will throw. */
    void cancel() {
        snapshot.abandon();
    }

    /** How many keys there were at the moment. */
    long total() {
        return snapshot.total();
    }

    /** How many of them have been saved, about. */
    long processed() {
        return snapshot.walked();
    }

    /** Bytes that waited to be written at most at any time. */
    long peak() {
        return queue.peak();
    }

    /** Bytes that wait to be written now: old contents of keys that have changed, and what has just been walked. */
    long waiting() {
        return queue.bytes();
    }

    /**
     * Writes everything; whatever happens, the store is afterwards as if no snapshot had ever run.
     *
     * @throws IOException if the file cannot be written, or this was cancelled
     */
    void write(SnapshotFile file, boolean forceAsItGoes) throws IOException {
        SnapshotEvent event = new SnapshotEvent();
        boolean complete = false;
        event.begin();
        try {
            format.header(scratch);
            append(file, scratch);
            boolean walked;
            do {
                walked = !walker.isAlive(); // looked at first: what it has left is then in the queue
                boolean any = drain(file, forceAsItGoes);
                if (!any && !walked) {
                    LockSupport.parkNanos(this, NAP_NANOS);
                }
            } while (!walked);
            check();
            scratch.reset(0, LARGEST_KEPT);
            format.end(scratch, checksum);
            file.write(scratch.array(), 0, scratch.size());
            complete = true;
        } finally {
            end();
            event.end(total(), peak(), complete);
        }
    }

    /** Ends it, and comes back when it has ended: for when there is no file to write to. */
    void end() {
        snapshot.abandon(); // without effect if everything has been walked
        boolean interrupted = false;
        while (walker.isAlive()) {
            try {
                walker.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void check() throws IOException {
        Throwable failure = queue.failure() == null ? walk.failure() : queue.failure();
        if (failure != null) {
            throw new IOException("memory or a value was not as it should be", failure);
        }
        if (snapshot.isIncomplete()) {
            throw new IOException("cancelled");
        }
    }

    /** Writes what is in the queue. @return whether there was anything */
    private boolean drain(SnapshotFile file, boolean forceAsItGoes) throws IOException {
        boolean any = false;
        for (Parcel parcel = queue.poll(); parcel != null; parcel = queue.poll()) {
            any = true;
            switch (parcel) {
                case Full full -> put(file, full.chunk());
                case Whole whole -> put(file, whole.database(), whole.item());
            }
            queue.written(parcel);
            if (snapshot.isBehind() && !queue.isCrowded()) {
                snapshot.behind(false);
            }
            if (forceAsItGoes && !queue.isCrowded()) {
                file.forceIfMuch();
            }
        }
        return any;
    }

    private void put(SnapshotFile file, int database, Item item) throws IOException {
        scratch.reset(database, LARGEST_KEPT);
        format.entry(item, true, scratch);
        scratch.countEntry();
        put(file, scratch);
    }

    private void put(SnapshotFile file, Chunk chunk) throws IOException {
        int database = chunk.database();
        if (database != current) {
            Chunk select = new Chunk(database, 64);
            boolean first = !announced[database];
            format.database(database, first ? keys[database] : 0, first ? expiring[database] : 0, select);
            announced[database] = true;
            current = database;
            append(file, select);
        }
        append(file, chunk);
    }

    private void append(SnapshotFile file, Chunk chunk) throws IOException {
        checksum = format.checksum(checksum, chunk.array(), 0, chunk.size());
        file.write(chunk.array(), 0, chunk.size());
    }
}
