package dev.heddle.store.value;

import dev.heddle.store.base.Expiring;
import dev.heddle.store.base.ExpiryHeap;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * When the fields of one hash expire, and the hash's own place among those that have such fields.
 *
 * <p>Guarded by the lock of the stripe that the hash's key lies in.
 */
public final class FieldDeadlines implements Expiring {

    /*
     * Few hashes have fields that expire, and mostly few of their fields do. So deadlines stand beside the hash, not in it: a table finds the
     * deadline of a field, a heap finds the field whose turn is next, and a hash that never had any pays one null reference.
     *
     * The keyspace in turn needs to know which hash is next. It keeps a heap of these objects, each with the deadline of its first field as
     * it was when the hash was last put in its place: schedule() does that, after every change, because a heap must not have its elements
     * change under it. A hash that is renamed comes into another heap before it leaves the old one; therefore this object knows in
     * which heap and under which key it stands, and does not leave a heap that it is no longer in.
     */

    /** What {@link #deadline(byte[], int, int)} answers for a field that stays. */
    public static final long NONE = -1;

    private final BytesTable<Field> byName;
    private final ExpiryHeap<Field> order = new ExpiryHeap<>();

    private @Nullable ExpiryHeap<FieldDeadlines> heap;
    private byte[] key = {};
    private long scheduled;
    private int heapIndex = -1;

    FieldDeadlines() {
        this.byName = BytesTable.map();
    }

    FieldDeadlines copy() {
        FieldDeadlines copy = new FieldDeadlines();
        byName.forEach((name, field) -> copy.set(name, 0, name.length, field.at));
        return copy;
    }

    /** How many fields have a deadline. */
    public int size() {
        return order.size();
    }

    /** About how many bytes of heap this takes. */
    long bytes() {
        return 48 + byName.bytes() + 40 + (32L + 4) * order.size();
    }

    /** The first deadline of all, or {@link Long#MAX_VALUE} if there is none; milliseconds since the epoch. */
    public long earliest() {
        Field first = order.first();
        return first == null ? Long.MAX_VALUE : first.at;
    }

    /** When a field expires, in milliseconds since the epoch, or {@link #NONE}. */
    long deadline(byte[] array, int offset, int length) {
        Field field = byName.get(array, offset, length);
        return field == null ? NONE : field.at;
    }

    /** How many deadlines have passed. */
    int countDue(long now) {
        return order.countUntil(now);
    }

    /** A field whose deadline has passed, or null if there is none. */
    byte @Nullable [] due(long now) {
        Field first = order.first();
        return first == null || first.at > now ? null : first.name;
    }

    void set(byte[] array, int offset, int length, long at) {
        Field field = byName.get(array, offset, length);
        if (field == null) {
            byte[] name = Arrays.copyOfRange(array, offset, offset + length);
            field = new Field(name, at);
            byName.put(name, field);
            order.add(field);
        } else {
            field.at = at;
            order.moved(field);
        }
    }

    /** @return whether the field had a deadline */
    boolean clear(byte[] array, int offset, int length) {
        Field field = byName.remove(array, offset, length);
        if (field != null) {
            order.remove(field);
        }
        return field != null;
    }

    // ---- the place among other hashes

    /** The key under which the hash was last scheduled. */
    public byte[] key() {
        return key;
    }

    /** Puts the hash, whose key this is, in its place in a heap, after its deadlines or its key have changed. */
    public void schedule(ExpiryHeap<FieldDeadlines> newHeap, byte[] newKey) {
        if (heap != null && (!isIn(newHeap) || order.size() == 0)) {
            leave();
        }
        key = newKey;
        scheduled = earliest();
        if (order.size() == 0) {
            return;
        }
        if (heap == null) {
            heap = newHeap;
            newHeap.add(this);
        } else {
            newHeap.moved(this);
        }
    }

    /** Takes the hash out of a heap, if it is there under this key. */
    public void unschedule(ExpiryHeap<FieldDeadlines> oldHeap, byte[] oldKey) {
        if (isIn(oldHeap) && Arrays.equals(key, oldKey)) {
            leave();
        }
    }

    @SuppressWarnings("ReferenceEquality") // the heap itself is meant, not its content
    private boolean isIn(ExpiryHeap<FieldDeadlines> other) {
        return heap == other;
    }

    private void leave() {
        ExpiryHeap<FieldDeadlines> left = heap;
        heap = null;
        if (left != null) {
            left.remove(this);
        }
    }

    @Override
    public long deadline() {
        return scheduled;
    }

    @Override
    public int heapIndex() {
        return heapIndex;
    }

    @Override
    public void heapIndex(int index) {
        heapIndex = index;
    }

    /** One field with its deadline. */
    private static final class Field implements Expiring {

        final byte[] name;
        long at;
        private int heapIndex = -1;

        Field(byte[] name, long at) {
            this.name = name;
            this.at = at;
        }

        @Override
        public long deadline() {
            return at;
        }

        @Override
        public int heapIndex() {
            return heapIndex;
        }

        @Override
        public void heapIndex(int index) {
            heapIndex = index;
        }
    }
}
