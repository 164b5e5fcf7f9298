package dev.heddle.store.value;

import dev.heddle.resp.Numbers;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Fields and their values: a packed list of field, value, field, value in the order of insertion while small, then a hash table.
 *
 * <p>Guarded by the lock of the stripe that its key lies in. Methods that only read take the time and do not see fields that have expired;
 * methods that change a hash expect that {@link #isDue} was asked before for the fields that they name.
 */
public final class HashValue extends Value {

    /*
     * When a hash leaves the packed form is Redis's rule, for OBJECT ENCODING: at a field or value that is too long, or when there are too
     * many fields; there is no way back. In the table, values are whole arrays that nobody changes, so that large replies can
     * refer to them.
     *
     * Fields with a deadline: readers share the lock and cannot remove what has expired, so they look past it. That costs nothing as long
     * as the first deadline of the hash has not passed, which is one comparison (anyDue); only in the moments between a deadline and the
     * removal of its field, each field is asked for. Whoever holds the lock alone removes expired fields, a bounded number at a time.
     */

    /** What of each field is wanted. */
    public enum Part {
        FIELDS,
        VALUES,
        BOTH
    }

    private Object form;
    /** Heap bytes of the values in a table. */
    private long valueBytes;

    private @Nullable FieldDeadlines deadlines;

    /** An empty hash in its packed form. */
    public HashValue() {
        this(new PackedList());
    }

    private HashValue(Object form) {
        this.form = form;
    }

    @Override
    public ValueType type() {
        return ValueType.HASH;
    }

    @Override
    public String encoding() {
        if (form instanceof PackedList) {
            return deadlines == null ? "listpack" : "listpackex";
        }
        return "hashtable";
    }

    /** Whether the hash is in its larger form: then values are kept as the arrays that they come in. */
    public boolean isTable() {
        return form instanceof BytesTable;
    }

    /** The packed form, fields and values in turn: not to be changed. Null if the hash is a table. */
    public @Nullable PackedList packed() {
        return form instanceof PackedList list ? list : null;
    }

    @Override
    public long bytes() {
        long sum = form instanceof PackedList list ? list.bytes() : table().bytes() + valueBytes;
        return 32 + sum + (deadlines == null ? 0 : deadlines.bytes());
    }

    @Override
    public HashValue copy() {
        HashValue copy = copyWithoutDeadlines();
        copy.deadlines = deadlines == null ? null : deadlines.copy();
        return copy;
    }

    /** A hash with the same fields and values and none of the deadlines. */
    public HashValue copyWithoutDeadlines() {
        HashValue copy = new HashValue(form instanceof PackedList list ? list.copy() : table().copy());
        copy.valueBytes = valueBytes;
        return copy;
    }

    /** How many fields there are, expired ones included. */
    public int size() {
        return form instanceof PackedList list ? list.count() / 2 : table().size();
    }

    /** How many fields there are. */
    public int size(long now) {
        FieldDeadlines some = deadlines;
        return some == null || some.earliest() > now ? size() : size() - some.countDue(now);
    }

    // ---- expiry

    /** The deadlines, or null if no field ever had one. */
    public @Nullable FieldDeadlines deadlines() {
        return deadlines;
    }

    /** Whether some field has expired and is still here. */
    public boolean anyDue(long now) {
        FieldDeadlines some = deadlines;
        return some != null && some.earliest() <= now;
    }

    /** Whether all fields have expired. */
    public boolean isGone(long now) {
        return anyDue(now) && size(now) == 0;
    }

    /** Whether this field has expired and is still here. */
    public boolean isDue(byte[] array, int offset, int length, long now) {
        return anyDue(now) && isPast(deadline(array, offset, length), now);
    }

    /** Removes a field that has expired. @return the field, or null if there is none */
    public byte @Nullable [] removeDue(long now) {
        FieldDeadlines some = deadlines;
        byte[] field = some == null ? null : some.due(now);
        if (field != null) {
            remove(field, 0, field.length);
        }
        return field;
    }

    /** When a field expires, in milliseconds since the epoch; {@link FieldDeadlines#NONE} if it stays or is not there. */
    public long deadline(byte[] array, int offset, int length) {
        FieldDeadlines some = deadlines;
        return some == null ? FieldDeadlines.NONE : some.deadline(array, offset, length);
    }

    /** Makes a field, which must be there, expire at a time. The hash must be rescheduled afterwards. */
    public void expireAt(byte[] array, int offset, int length, long at) {
        FieldDeadlines some = deadlines;
        if (some == null) {
            some = new FieldDeadlines();
            deadlines = some;
        }
        some.set(array, offset, length, at);
    }

    /** Makes a field stay. @return whether it had a deadline */
    public boolean persist(byte[] array, int offset, int length) {
        FieldDeadlines some = deadlines;
        return some != null && some.clear(array, offset, length);
    }

    private static boolean isPast(long deadline, long now) {
        return deadline != FieldDeadlines.NONE && deadline <= now;
    }

    // ---- one field

    public boolean contains(byte[] array, int offset, int length, long now) {
        boolean there = form instanceof PackedList list
                ? find(list, array, offset, length) != PackedList.NONE
                : table().contains(array, offset, length);
        return there && !isDue(array, offset, length, now);
    }

    /** The value of a field as an array that nobody will ever change, or null if there is none. */
    public byte @Nullable [] get(byte[] array, int offset, int length, long now) {
        if (isDue(array, offset, length, now)) {
            return null;
        }
        if (form instanceof PackedList list) {
            int pos = find(list, array, offset, length);
            return pos == PackedList.NONE ? null : list.copy(list.next(pos));
        }
        return table().get(array, offset, length);
    }

    /** Shows the value of a field. @return whether there is one */
    public boolean show(byte[] array, int offset, int length, long now, ElementSink sink) {
        if (isDue(array, offset, length, now)) {
            return false;
        }
        if (form instanceof PackedList list) {
            int pos = find(list, array, offset, length);
            if (pos != PackedList.NONE) {
                show(list, list.next(pos), sink);
            }
            return pos != PackedList.NONE;
        }
        byte[] value = table().get(array, offset, length);
        if (value != null) {
            sink.whole(value);
        }
        return value != null;
    }

    /** How long the value of a field is, 0 if there is none. */
    public int valueLength(byte[] array, int offset, int length, long now) {
        if (isDue(array, offset, length, now)) {
            return 0;
        }
        if (form instanceof PackedList list) {
            int pos = find(list, array, offset, length);
            return pos == PackedList.NONE ? 0 : list.length(list.next(pos));
        }
        byte[] value = table().get(array, offset, length);
        return value == null ? 0 : value.length;
    }

    /** Prepares for many fields to come: a packed list that would not hold them is left at once. */
    public void expect(long fields, CompactLimits limits) {
        if (form instanceof PackedList list && fields > limits.entries()) {
            toTable(list);
        }
    }

    /** Leaves the packed form if a field or value of this length does not belong there. */
    public void expectLength(int length, CompactLimits limits) {
        if (form instanceof PackedList list && length > limits.bytes()) {
            toTable(list);
        }
    }

    /** Sets a field to a value that nobody will ever change; its deadline stays. @return whether the field is new */
    public boolean put(byte[] array, int offset, int length, byte[] value, CompactLimits limits) {
        expectLength(length, limits);
        expectLength(value.length, limits);
        if (!(form instanceof PackedList list)) {
            byte[] old = table().put(array, offset, length, value);
            valueBytes += heapBytes(value) - (old == null ? 0 : heapBytes(old));
            return old == null;
        }
        int pos = find(list, array, offset, length);
        if (pos != PackedList.NONE) {
            list.replace(list.next(pos), value, 0, value.length);
            return false;
        }
        list.append(array, offset, length);
        list.append(value, 0, value.length);
        if (size() > limits.entries()) {
            toTable(list);
        }
        return true;
    }

    /** Removes a field and its deadline. @return whether it was there */
    public boolean remove(byte[] array, int offset, int length) {
        persist(array, offset, length);
        if (form instanceof PackedList list) {
            int pos = find(list, array, offset, length);
            if (pos != PackedList.NONE) {
                list.remove(pos, 2);
            }
            return pos != PackedList.NONE;
        }
        byte[] old = table().remove(array, offset, length);
        valueBytes -= old == null ? 0 : heapBytes(old);
        return old != null;
    }

    // ---- all fields

    /** Shows of every field what is wanted. */
    public void forEach(Part part, long now, ElementSink sink) {
        boolean due = anyDue(now);
        if (form instanceof PackedList list) {
            for (int pos = list.first(); pos != PackedList.NONE; pos = list.next(list.next(pos))) {
                if (!due || !isPast(deadline(list, pos), now)) {
                    showPair(list, pos, part, sink);
                }
            }
            return;
        }
        table().forEach((field, value) -> {
            if (!due || !isPast(deadline(field, 0, field.length), now)) {
                if (part != Part.VALUES) {
                    sink.whole(field);
                }
                if (part != Part.FIELDS) {
                    sink.whole(value);
                }
            }
        });
    }

    /**
     * Shows of the next fields what is wanted; the packed form shows all at once. See {@link BytesTable#scan}.
     *
     * @return the next cursor, 0 at the end
     */
    public long scan(long cursor, long count, long now, Part part, ElementSink sink) {
        if (form instanceof PackedList) {
            forEach(part, now, sink);
            return 0;
        }
        BytesTable<byte[]> table = table();
        return table.scan(cursor, count, field -> {
            byte[] value = table.get(field, 0, field.length);
            if (value != null && !isDue(field, 0, field.length, now)) {
                if (part != Part.VALUES) {
                    sink.whole(field);
                }
                if (part != Part.FIELDS) {
                    sink.whole(value);
                }
            }
        });
    }

    /** A field of a hash that is not gone, each equally likely: an array that nobody will ever change. */
    public byte[] random(RandomGenerator random, long now) {
        while (true) {
            byte[] field = form instanceof PackedList list
                    ? list.copy(list.seek(2 * random.nextInt(size())))
                    : table().random(random);
            if (!isDue(field, 0, field.length, now)) {
                return field;
            }
        }
    }

    private long deadline(PackedList list, int pos) {
        if (list.isLong(pos)) {
            byte[] digits = Numbers.toBytes(list.longAt(pos));
            return deadline(digits, 0, digits.length);
        }
        return deadline(list.array(), list.dataOffset(pos), list.length(pos));
    }

    private static int find(PackedList list, byte[] array, int offset, int length) {
        return list.find(array, offset, length, list.first(), 1);
    }

    private static void showPair(PackedList list, int pos, Part part, ElementSink sink) {
        if (part != Part.VALUES) {
            show(list, pos, sink);
        }
        if (part != Part.FIELDS) {
            show(list, list.next(pos), sink);
        }
    }

    private static void show(PackedList list, int pos, ElementSink sink) {
        if (list.isLong(pos)) {
            sink.number(list.longAt(pos));
        } else {
            sink.slice(list.array(), list.dataOffset(pos), list.length(pos));
        }
    }

    private void toTable(PackedList list) {
        BytesTable<byte[]> table = BytesTable.map();
        for (int pos = list.first(); pos != PackedList.NONE; pos = list.next(list.next(pos))) {
            byte[] value = list.copy(list.next(pos));
            table.put(list.copy(pos), value);
            valueBytes += heapBytes(value);
        }
        form = table;
    }

    private static long heapBytes(byte[] array) {
        return (16L + array.length + 7) & ~7L;
    }

    @SuppressWarnings("unchecked") // the only tables that become a form are those of values
    private BytesTable<byte[]> table() {
        return (BytesTable<byte[]>) form;
    }
}
