package dev.heddle.persistence.rdb;

import dev.heddle.command.config.EncodingSettings;
import dev.heddle.resp.Numbers;
import dev.heddle.store.value.CompactLimits;
import dev.heddle.store.value.HashValue;
import dev.heddle.store.value.ListEnd;
import dev.heddle.store.value.ListValue;
import dev.heddle.store.value.SetValue;
import dev.heddle.store.value.SortedSetValue;
import java.io.IOException;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Reads values in every form in which Redis 2 to 7.4 and Valkey write them, and makes ours of them: of which size they are compact is decided by
 * the settings here, not by how they were written.
 *
 * <p>Immutable, and so thread-safe. Nothing that it accepts breaks a rule of its type: no member twice, no score that is no number, no
 * collection without elements.
 */
final class ValueReader {

    private static final int NOT_A_NUMBER = 253;
    private static final int INFINITY = 254;
    private static final int MINUS_INFINITY = 255;

    /** A node of a list that is one large element. */
    private static final int PLAIN = 1;

    private static final int PACKED = 2;

    private final int listLimit;
    private final CompactLimits sets;
    private final CompactLimits hashes;
    private final CompactLimits sortedSets;
    private final RandomGenerator random;

    /** @param random must be safe for use by several threads */
    ValueReader(EncodingSettings settings, RandomGenerator random) {
        this.listLimit = settings.listMaxListpackSize.value();
        this.sets = new CompactLimits(
                settings.setMaxIntsetEntries.value(),
                settings.setMaxListpackEntries.value(),
                settings.setMaxListpackValue.value());
        this.hashes =
                new CompactLimits(0, settings.hashMaxListpackEntries.value(), settings.hashMaxListpackValue.value());
        this.sortedSets =
                new CompactLimits(0, settings.zsetMaxListpackEntries.value(), settings.zsetMaxListpackValue.value());
        this.random = random;
    }

    /**
     * Reads a value.
     *
     * @return what the store keeps for it; null if it is a collection without elements, which earlier versions have been known to write
     * @throws RdbException if it is damaged, or of a type that is not known here
     */
    @Nullable
    Object read(int type, RdbInput in) throws IOException {
        return switch (RdbType.of(type, in)) {
            case STRING -> string(in.string());
            case LIST -> list(in);
            case LIST_ZIPLIST -> list(elements(in, PackedBlobs.ziplist(in.string())));
            case LIST_QUICKLIST -> quicklist(in, false);
            case LIST_QUICKLIST_2 -> quicklist(in, true);
            case SET -> set(in);
            case SET_INTSET -> set(in, PackedBlobs.intset(in.string()));
            case SET_LISTPACK -> set(in, elements(in, PackedBlobs.listpack(in.string())));
            case HASH -> hash(in);
            case HASH_ZIPMAP -> hash(in, pairs(in, PackedBlobs.zipmap(in.string())));
            case HASH_ZIPLIST -> hash(in, pairs(in, PackedBlobs.ziplist(in.string())));
            case HASH_LISTPACK -> hash(in, pairs(in, PackedBlobs.listpack(in.string())));
            case HASH_METADATA -> hashWithDeadlines(in);
            case HASH_LISTPACK_EX -> packedHashWithDeadlines(in);
            case STREAM -> StreamForm.read(in, 1);
            case STREAM_2 -> StreamForm.read(in, 2);
            case STREAM_3 -> StreamForm.read(in, 3);
            case ZSET -> sortedSet(in, false);
            case ZSET_2 -> sortedSet(in, true);
            case ZSET_ZIPLIST -> sortedSet(in, pairs(in, PackedBlobs.ziplist(in.string())));
            case ZSET_LISTPACK -> sortedSet(in, pairs(in, PackedBlobs.listpack(in.string())));
        };
    }

    private static Object string(byte[] bytes) {
        if (bytes.length > 0 && bytes.length <= Numbers.MAX_LONG_BYTES && Numbers.isLong(bytes, 0, bytes.length)) {
            return Numbers.parseLong(bytes, 0, bytes.length);
        }
        return bytes;
    }

    private static List<byte[]> elements(RdbInput in, @Nullable List<byte[]> elements) throws RdbException {
        if (elements == null) {
            throw in.error("a packed collection is damaged");
        }
        return elements;
    }

    private static List<byte[]> pairs(RdbInput in, @Nullable List<byte[]> elements) throws RdbException {
        List<byte[]> all = elements(in, elements);
        if ((all.size() & 1) != 0) {
            throw in.error("a packed collection of pairs has an odd number of elements");
        }
        return all;
    }

    // ---- lists

    private void append(ListValue list, byte[] element) {
        list.growing(element.length, 1, listLimit);
        list.push(ListEnd.TAIL, element);
    }

    private @Nullable ListValue list(RdbInput in) throws IOException {
        ListValue list = new ListValue();
        long count = in.count(1);
        for (long i = 0; i < count; i++) {
            append(list, in.string());
        }
        return count == 0 ? null : list;
    }

    private @Nullable ListValue list(List<byte[]> elements) {
        ListValue list = new ListValue();
        elements.forEach(element -> append(list, element));
        return elements.isEmpty() ? null : list;
    }

    private @Nullable ListValue quicklist(RdbInput in, boolean second) throws IOException {
        ListValue list = new ListValue();
        long nodes = in.count(1);
        for (long i = 0; i < nodes; i++) {
            long container = second ? in.length() : PACKED;
            byte[] blob = in.string();
            if (container == PLAIN) {
                append(list, blob);
            } else if (container == PACKED) {
                List<byte[]> packed = second ? PackedBlobs.listpack(blob) : PackedBlobs.ziplist(blob);
                elements(in, packed).forEach(element -> append(list, element));
            } else {
                throw in.error("a list has a node of an unknown kind: " + container);
            }
        }
        return list.size() == 0 ? null : list;
    }

    // ---- sets

    private SetValue newSet(byte[] first, long expected) {
        return SetValue.suiting(first, 0, first.length, expected, sets);
    }

    private static RdbException twice(RdbInput in) {
        return in.error("a member or field is there twice");
    }

    private @Nullable SetValue set(RdbInput in) throws IOException {
        long count = in.count(1);
        if (count == 0) {
            return null;
        }
        byte[] member = in.string();
        SetValue set = newSet(member, count);
        set.add(member, sets);
        for (long i = 1; i < count; i++) {
            if (!set.add(in.string(), sets)) {
                throw twice(in);
            }
        }
        return set;
    }

    private @Nullable SetValue set(RdbInput in, List<byte[]> members) throws RdbException {
        if (members.isEmpty()) {
            return null;
        }
        SetValue set = newSet(members.get(0), members.size());
        for (byte[] member : members) {
            if (!set.add(member, sets)) {
                throw twice(in);
            }
        }
        return set;
    }

    private @Nullable SetValue set(RdbInput in, long @Nullable [] members) throws RdbException {
        if (members == null) {
            throw in.error("a set of integers is damaged");
        }
        if (members.length == 0) {
            return null;
        }
        SetValue set = newSet(Numbers.toBytes(members[0]), members.length);
        for (long member : members) {
            set.add(member, sets);
        }
        return set;
    }

    // ---- hashes

    private void put(RdbInput in, HashValue hash, byte[] field, byte[] value) throws RdbException {
        if (!hash.put(field, 0, field.length, value, hashes)) {
            throw twice(in);
        }
    }

    private @Nullable HashValue hash(RdbInput in) throws IOException {
        HashValue hash = new HashValue();
        long count = in.count(2);
        hash.expect(count, hashes);
        for (long i = 0; i < count; i++) {
            byte[] field = in.string();
            put(in, hash, field, in.string());
        }
        return count == 0 ? null : hash;
    }

    private @Nullable HashValue hash(RdbInput in, List<byte[]> pairs) throws RdbException {
        HashValue hash = new HashValue();
        hash.expect(pairs.size() / 2, hashes);
        for (int i = 0; i < pairs.size(); i += 2) {
            put(in, hash, pairs.get(i), pairs.get(i + 1));
        }
        return pairs.isEmpty() ? null : hash;
    }

    /** Each field with the distance of its deadline from the earliest one, plus 1; 0 for none. */
    private @Nullable HashValue hashWithDeadlines(RdbInput in) throws IOException {
        long earliest = in.littleEndian(8);
        HashValue hash = new HashValue();
        long count = in.count(3);
        hash.expect(count, hashes);
        for (long i = 0; i < count; i++) {
            long distance = in.length();
            byte[] field = in.string();
            put(in, hash, field, in.string());
            if (distance > 0) {
                expire(in, hash, field, earliest + distance - 1);
            }
        }
        return count == 0 ? null : hash;
    }

    /** Field, value, deadline in milliseconds since the epoch or 0; repeated. */
    private @Nullable HashValue packedHashWithDeadlines(RdbInput in) throws IOException {
        in.littleEndian(8);
        List<byte[]> triples = elements(in, PackedBlobs.listpack(in.string()));
        if (triples.size() % 3 != 0) {
            throw in.error("a packed hash with deadlines lacks one");
        }
        HashValue hash = new HashValue();
        for (int i = 0; i < triples.size(); i += 3) {
            byte[] field = triples.get(i);
            byte[] at = triples.get(i + 2);
            put(in, hash, field, triples.get(i + 1));
            if (!Numbers.isLong(at, 0, at.length)) {
                throw in.error("the deadline of a field is not a number");
            }
            long deadline = Numbers.parseLong(at, 0, at.length);
            if (deadline != 0) {
                expire(in, hash, field, deadline);
            }
        }
        return triples.isEmpty() ? null : hash;
    }

    private static void expire(RdbInput in, HashValue hash, byte[] field, long at) throws RdbException {
        if (at < 0) {
            throw in.error("the deadline of a field is out of range");
        }
        hash.expireAt(field, 0, field.length, at);
    }

    // ---- sorted sets

    private void put(RdbInput in, SortedSetValue set, byte[] member, double score) throws RdbException {
        if (Double.isNaN(score)) {
            throw in.error("a score is not a number");
        }
        if (!Double.isNaN(set.put(member, 0, member.length, score, sortedSets))) {
            throw twice(in);
        }
    }

    private @Nullable SortedSetValue sortedSet(RdbInput in, boolean binary) throws IOException {
        SortedSetValue set = new SortedSetValue(random);
        long count = in.count(2);
        for (long i = 0; i < count; i++) {
            byte[] member = in.string();
            put(in, set, member, binary ? Double.longBitsToDouble(in.littleEndian(8)) : textScore(in));
        }
        return count == 0 ? null : set;
    }

    private static double textScore(RdbInput in) throws IOException {
        int length = in.unsignedByte();
        return switch (length) {
            case NOT_A_NUMBER -> Double.NaN;
            case INFINITY -> Double.POSITIVE_INFINITY;
            case MINUS_INFINITY -> Double.NEGATIVE_INFINITY;
            default -> PackedBlobs.score(in.bytes(length));
        };
    }

    private @Nullable SortedSetValue sortedSet(RdbInput in, List<byte[]> pairs) throws RdbException {
        SortedSetValue set = new SortedSetValue(random);
        for (int i = 0; i < pairs.size(); i += 2) {
            put(in, set, pairs.get(i), PackedBlobs.score(pairs.get(i + 1)));
        }
        return pairs.isEmpty() ? null : set;
    }
}
