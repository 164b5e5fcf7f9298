package dev.heddle.persistence.rdb;

import dev.heddle.resp.Numbers;
import dev.heddle.store.value.ElementSink;
import dev.heddle.store.value.ListValue;
import dev.heddle.store.value.PackedList;
import java.util.ArrayList;
import java.util.List;

/**
 * Cuts a list into the nodes that Redis would keep it in, by {@code list-max-listpack-size}: positive values are a number of elements per
 * node, -1 to -5 are 4 to 64 KiB.
 *
 * <p>Confined to one thread.
 */
final class ListNodes implements ElementSink {

    private static final int SAFE_BYTES = 8 * 1024;
    private static final int LARGEST_LEVEL = 5;
    /** What Redis reckons for an element besides its bytes. */
    private static final int ELEMENT_OVERHEAD = 8;

    /** From this length on an element is a node by itself, without a listpack around it. */
    private static final int LARGE = 1 << 30;

    private static final int PLAIN = 1;
    private static final int PACKED = 2;

    private final int limit;
    /** {@code byte[]} for a node that is one large element, else a {@link PackedList}. */
    private final List<Object> nodes = new ArrayList<>();

    private PackedList node = new PackedList();

    private ListNodes(int limit) {
        this.limit = limit;
    }

    static void write(ListValue list, int limit, RdbOutput to) {
        PackedList packed = list.packed();
        if (packed != null) {
            to.length(1);
            write(packed, to);
            return;
        }
        ListNodes all = new ListNodes(limit);
        list.give(0, list.size(), false, all);
        all.close();
        to.length(all.nodes.size());
        for (Object one : all.nodes) {
            if (one instanceof PackedList inner) {
                write(inner, to);
            } else if (one instanceof byte[] large) {
                to.length(PLAIN);
                to.blob(large, 0, large.length);
            }
        }
    }

    private static void write(PackedList node, RdbOutput to) {
        byte[] blob = ListpackBuilder.listpack(node);
        to.length(PACKED);
        to.blob(blob, 0, blob.length);
    }

    private void close() {
        if (node.count() > 0) {
            nodes.add(node);
            node = new PackedList();
        }
    }

    private boolean isFull(int added) {
        long bytes = (long) node.listpackBytes() + added + ELEMENT_OVERHEAD;
        return limit < 0
                ? bytes > 2048L << Math.min(-(long) limit, LARGEST_LEVEL)
                : bytes > SAFE_BYTES || node.count() >= Math.max(limit, 1);
    }

    @Override
    public void slice(byte[] array, int offset, int length) {
        if (node.count() > 0 && isFull(length)) {
            close();
        }
        node.append(array, offset, length);
    }

    @Override
    public void number(long value) {
        whole(Numbers.toBytes(value));
    }

    @Override
    public void whole(byte[] array) {
        if (array.length >= LARGE) {
            close();
            nodes.add(array);
        } else {
            slice(array, 0, array.length);
        }
    }
}
