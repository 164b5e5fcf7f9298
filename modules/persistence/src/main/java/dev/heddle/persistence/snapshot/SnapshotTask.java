package dev.heddle.persistence.snapshot;

import dev.heddle.persistence.snapshot.HandedOver.Full;
import dev.heddle.persistence.snapshot.HandedOver.Parcel;
import dev.heddle.persistence.snapshot.HandedOver.Whole;
import dev.heddle.persistence.snapshot.SnapshotFormat.Item;
import dev.heddle.store.Entry;
import dev.heddle.store.Snapshot;
import dev.heddle.store.Store;
import dev.heddle.store.StripeLocks;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One snapshot: from its moment until all of it has been written into a file.
 *
 * <p>{@link #begin} is called by whoever wants it; {@link #write} by one thread afterwards; {@link #cancel} and the figures by anybody.
 */
final class SnapshotTask {

    /** A turn of the walk ends after so many bytes, or so many entries. */
    private static final int TURN_BYTES = 16 << 10;

    private static final int TURN_ENTRIES = 64;
    private static final int LARGEST_KEPT = 1 << 20;

    private final Store store;
    private final SnapshotFormat format;
    private final StripeLocks locks;
    private final HandedOver handedOver;
    private final Snapshot snapshot;
    private final long[] keys;
    private final long[] expiring;
    private final long limit;

    private volatile boolean cancelled;
    private volatile long peak; // written by the task's thread

    // confined to the task's thread
    private final Chunk turn = new Chunk(0, TURN_BYTES + (4 << 10));
    private final List<Item> large = new ArrayList<>();
    private final boolean[] announced;
    private int current = -1; // the database that the file is at
    private long checksum;

    private SnapshotTask(Store store, SnapshotFormat format, long limit, Runnable atTheMoment) {
        this.store = store;
        this.format = format;
        this.limit = limit;
        this.locks = new StripeLocks(store);
        this.announced = new boolean[store.databases()];
        this.keys = new long[store.databases()];
        this.expiring = new long[store.databases()];
        this.handedOver = new HandedOver(format, store.stripeCount(), limit, this::fallBehind);
        locks.wantAll();
        locks.lockWanted(true);
        try {
            format.begin(store);
            atTheMoment.run();
            snapshot = Snapshot.begin(store, locks, handedOver);
            for (int i = 0; i < keys.length; i++) {
                keys[i] = snapshot.size(i);
                expiring[i] = snapshot.expiring(i);
            }
        } finally {
            locks.unlock();
        }
    }

    /**
     * Fixes the moment: takes all stripes for some microseconds.
     *
     * @param limit with more bytes than this waiting to be written, writers are asked to slow down
     * @param atTheMoment run while all stripes are held
     */
    static SnapshotTask begin(Store store, SnapshotFormat format, long limit, Runnable atTheMoment) {
        return new SnapshotTask(store, format, limit, atTheMoment);
    }

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
        cancelled = true;
    }

    boolean isCancelled() {
        return cancelled;
    }

    /** How many keys there were at the moment. */
    long total() {
        return snapshot.total();
    }

    /** How many of them have been saved, about. */
    long processed() {
        return snapshot.walked();
    }

    /** Bytes of old contents that were kept at most at any time. */
    long peak() {
        return peak;
    }

    /** Bytes of old contents that are kept now. */
    long waiting() {
        return handedOver.bytes();
    }

    /**
     * Writes everything; whatever happens, the store is afterwards as if no snapshot had ever run.
     *
     * @param pace null to hurry
     * @throws IOException if the file cannot be written, or this was cancelled
     */
    void write(SnapshotFile file, @Nullable Pace pace, boolean forceAsItGoes) throws IOException {
        try {
            format.header(turn);
            put(file, turn);
            while (step(file)) {
                if (forceAsItGoes && handedOver.bytes() < limit / 4) {
                    file.forceIfMuch();
                }
                if (pace != null) {
                    pace.rest();
                }
            }
            for (int stripe = 0; stripe < store.stripeCount(); stripe++) {
                locks.lockStripe(stripe, false);
                handedOver.close(stripe);
                locks.unlock();
            }
            drain(file);
            check();
            turn.reset(0, LARGEST_KEPT);
            format.end(turn, checksum);
            file.write(turn.array(), 0, turn.size());
        } finally {
            end();
        }
    }

    /** Ends it without writing anything further: for when there is no file to write to. */
    void end() {
        if (store.snapshot() == null) {
            return;
        }
        snapshot.abandon(); // has no effect if the walk is done
        BooleanSupplier never = () -> false;
        while (snapshot.step(locks, (stripe, database, entry) -> {}, never)) {
            Thread.onSpinWait();
        }
        locks.wantAll();
        locks.lockWanted(true);
        snapshot.end(locks);
        locks.unlock();
    }

    private void check() throws IOException {
        if (cancelled) {
            throw new IOException("cancelled");
        }
        Throwable failure = handedOver.failure();
        if (failure != null) {
            throw new IOException("a writer could not hand over what it was about to change", failure);
        }
    }

    private boolean step(SnapshotFile file) throws IOException {
        check();
        drain(file);
        turn.reset(0, LARGEST_KEPT);
        large.clear();
        boolean more = snapshot.step(locks, this::take, this::turnIsOver);
        put(file, turn);
        if (!large.isEmpty()) {
            putLarge(file, turn.database());
        }
        return more;
    }

    private void take(int stripe, int database, Entry entry) {
        if (turn.entries() == 0 && large.isEmpty()) {
            turn.reset(database, LARGEST_KEPT);
        }
        Item item = HandedOver.item(entry);
        if (item.value() instanceof byte[] string && string.length >= HandedOver.LARGE) {
            large.add(item);
        } else {
            format.entry(item, true, turn);
            turn.countEntry();
        }
    }

    private boolean turnIsOver() {
        return turn.size() >= TURN_BYTES || turn.entries() + large.size() >= TURN_ENTRIES;
    }

    private void putLarge(SnapshotFile file, int database) throws IOException {
        for (Item item : large) {
            put(file, database, item);
        }
        large.clear();
    }

    private void put(SnapshotFile file, int database, Item item) throws IOException {
        turn.reset(database, LARGEST_KEPT);
        format.entry(item, true, turn);
        turn.countEntry();
        put(file, turn);
    }

    /** Writes what writers have handed over. */
    private void drain(SnapshotFile file) throws IOException {
        peak = Math.max(peak, handedOver.bytes());
        for (Parcel parcel = handedOver.poll(); parcel != null; parcel = handedOver.poll()) {
            switch (parcel) {
                case Full full -> put(file, full.chunk());
                case Whole whole -> put(file, whole.database(), whole.item());
            }
            handedOver.written(parcel);
        }
        if (snapshot.isBehind() && handedOver.bytes() < limit / 2) {
            snapshot.behind(false);
        }
    }

    private void put(SnapshotFile file, Chunk chunk) throws IOException {
        if (chunk.size() == 0) {
            return;
        }
        int database = chunk.database();
        if (chunk.entries() > 0 && database != current) {
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
