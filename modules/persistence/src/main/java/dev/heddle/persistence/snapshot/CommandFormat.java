package dev.heddle.persistence.snapshot;

import dev.heddle.resp.Numbers;
import dev.heddle.store.Entry;
import dev.heddle.store.Store;
import dev.heddle.store.value.ElementSink;
import dev.heddle.store.value.FieldDeadlines;
import dev.heddle.store.value.GrowableString;
import dev.heddle.store.value.HashValue;
import dev.heddle.store.value.HashValue.Part;
import dev.heddle.store.value.ListValue;
import dev.heddle.store.value.SetValue;
import dev.heddle.store.value.SortedSetValue;
import dev.heddle.store.value.StreamValue;
import dev.heddle.store.value.Value;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Supplier;

/**
 * A snapshot as commands that make its data, in the form in which they go over the wire: the base of an append-only file if {@code
 * aof-use-rdb-preamble} is off. Collections are written in commands of up to 64 elements, as Redis does. Confined to one snapshot.
 */
final class CommandFormat implements SnapshotFormat {

    private static final int ELEMENTS_PER_COMMAND = 64;
    private static final byte[] LOAD = {'L', 'O', 'A', 'D'};

    private final Supplier<List<byte[]>> functions;
    /** The sources of libraries of functions at the moment of the snapshot. */
    private List<byte[]> libraries = List.of();

    /** @param functions the sources of the libraries of functions that there are when it is asked */
    CommandFormat(Supplier<List<byte[]>> functions) {
        this.functions = functions;
    }

    @Override
    public void begin(Store store) {
        libraries = functions.get();
    }

    @Override
    public void header(Chunk to) {
        for (byte[] source : libraries) {
            command(to, "FUNCTION", 2);
            bulk(to, LOAD);
            bulk(to, source);
        }
    }

    @Override
    public void database(int index, long keys, long expiring, Chunk to) {
        command(to, "SELECT", 1);
        bulk(to, Numbers.toBytes(index));
    }

    @Override
    public void entry(Item item, boolean thoroughly, Chunk to) {
        byte[] key = item.key();
        switch (item.value()) {
            case byte[] bytes -> set(to, key, bytes, bytes.length);
            case Long number -> {
                byte[] digits = Numbers.toBytes(number);
                set(to, key, digits, digits.length);
            }
            case Value value -> value(to, key, value);
            default -> throw new IllegalStateException("no value");
        }
        if (item.expireAt() != Entry.NEVER) {
            command(to, "PEXPIREAT", 2);
            bulk(to, key);
            bulk(to, Numbers.toBytes(item.expireAt()));
        }
    }

    private static void value(Chunk to, byte[] key, Value value) {
        switch (value) {
            case GrowableString string -> set(to, key, string.array(), string.length());
            case ListValue list -> list.give(0, list.size(), false, new Batches(to, "RPUSH", key, list.size(), 1));
            case SetValue set -> set.forEach(new Batches(to, "SADD", key, set.size(), 1));
            case SortedSetValue sorted -> {
                Batches batches = new Batches(to, "ZADD", key, sorted.size(), 2);
                sorted.forEach((array, offset, length, score) -> {
                    batches.whole(Numbers.toBytes(score));
                    batches.slice(array, offset, length);
                });
            }
            case HashValue hash -> {
                hash.forEach(Part.BOTH, Long.MIN_VALUE, new Batches(to, "HMSET", key, hash.size(), 2));
                if (hash.deadlines() != null) {
                    hash.forEach(Part.FIELDS, Long.MIN_VALUE, new Deadlines(to, key, hash));
                }
            }
            case StreamValue stream -> StreamCommandFormat.write(to, key, stream);
        }
    }

    @Override
    public void end(Chunk to, long checksum) {
        // commands need none
    }

    @Override
    public long checksum(long soFar, byte[] bytes, int offset, int length) {
        return 0;
    }

    private static void set(Chunk to, byte[] key, byte[] value, int length) {
        command(to, "SET", 2);
        bulk(to, key);
        bulk(to, value, 0, length);
    }

    static void command(Chunk to, String name, int arguments) {
        line(to, '*', arguments + 1L);
        bulk(to, name.getBytes(StandardCharsets.US_ASCII));
    }

    static void bulk(Chunk to, byte[] bytes) {
        bulk(to, bytes, 0, bytes.length);
    }

    static void bulk(Chunk to, byte[] array, int offset, int length) {
        line(to, '$', length);
        to.write(array, offset, length);
        to.write('\r');
        to.write('\n');
    }

    private static void line(Chunk to, char kind, long number) {
        byte[] room = to.room(Numbers.MAX_LONG_BYTES + 3);
        int at = to.size();
        room[at++] = (byte) kind;
        at = Numbers.write(number, room, at);
        room[at++] = '\r';
        room[at++] = '\n';
        to.advance(at - to.size());
    }

    /** Writes elements into as many commands as they need. */
    private static final class Batches implements ElementSink {
        private final Chunk to;
        private final String name;
        private final byte[] key;
        private final int width;
        /** How many groups of {@link #width} elements are still to come. */
        private int left;

        private int inCommand; // elements that the command begun will still take

        Batches(Chunk to, String name, byte[] key, int groups, int width) {
            this.to = to;
            this.name = name;
            this.key = key;
            this.left = groups;
            this.width = width;
        }

        @Override
        public void slice(byte[] array, int offset, int length) {
            if (inCommand == 0) {
                int groups = Math.min(left, ELEMENTS_PER_COMMAND);
                left -= groups;
                inCommand = groups * width;
                command(to, name, 1 + inCommand);
                bulk(to, key);
            }
            inCommand--;
            bulk(to, array, offset, length);
        }

        @Override
        public void number(long value) {
            whole(Numbers.toBytes(value));
        }

        @Override
        public void whole(byte[] array) {
            slice(array, 0, array.length);
        }
    }

    /** Writes the deadlines of fields. */
    private record Deadlines(Chunk to, byte[] key, HashValue hash) implements ElementSink {
        @Override
        public void slice(byte[] array, int offset, int length) {
            long at = hash.deadline(array, offset, length);
            if (at != FieldDeadlines.NONE) {
                command(to, "HPEXPIREAT", 5);
                bulk(to, key);
                bulk(to, Numbers.toBytes(at));
                to.ascii("$6\r\nFIELDS\r\n$1\r\n1\r\n");
                bulk(to, array, offset, length);
            }
        }

        @Override
        public void number(long value) {
            whole(Numbers.toBytes(value));
        }

        @Override
        public void whole(byte[] array) {
            slice(array, 0, array.length);
        }
    }
}
