package dev.heddle.store.value;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.resp.Numbers;
import dev.heddle.resp.Request;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class StreamValueTest {

    private static final String[] NAMES = {"f", "name", "a longer name of a field", "12", ""};

    /** A stream and what it should be, changed together. */
    private static final class Bed {
        final Random random;
        final StreamLimits limits;
        final StreamValue stream = new StreamValue();
        final TreeMap<StreamId, List<String>> model = new TreeMap<>();
        StreamId maxDeleted = StreamId.ZERO;
        long added;

        Bed(long seed, StreamLimits limits) {
            this.random = new Random(seed);
            this.limits = limits;
        }

        void step() {
            switch (random.nextInt(12)) {
                case 0, 1 -> remove();
                case 2 -> trimToLength();
                case 3 -> trimToId();
                default -> append();
            }
        }

        void append() {
            StreamId last = stream.lastId();
            StreamId id = random.nextBoolean()
                    ? last.next()
                    : new StreamId(last.ms() + 1 + random.nextInt(3000), random.nextInt(5));
            List<String> fields = fields();
            stream.append(id, request(fields), 0, fields.size() / 2, limits);
            model.put(id, fields);
            added++;
        }

        private List<String> fields() {
            List<String> fields = new ArrayList<>();
            int pairs = 1 + random.nextInt(3);
            boolean usual = random.nextInt(3) > 0;
            for (int i = 0; i < (usual ? 2 : pairs); i++) {
                fields.add(usual ? NAMES[i] : NAMES[random.nextInt(NAMES.length)]);
                fields.add(random.nextBoolean() ? Integer.toString(random.nextInt(1 << random.nextInt(31))) : "value");
            }
            return fields;
        }

        /** Any id that is there, or might be. */
        StreamId anyId() {
            StreamId id = new StreamId(random.nextLong(stream.lastId().ms() + 2), random.nextInt(3));
            StreamId there = model.ceilingKey(id);
            return there == null || random.nextInt(4) == 0 ? id : there;
        }

        private void remove() {
            StreamId id = anyId();
            boolean there = model.remove(id) != null;
            assertThat(stream.remove(id)).isEqualTo(there);
            if (there && id.isAfter(maxDeleted)) {
                maxDeleted = id;
            }
        }

        private void trimToLength() {
            long most = random.nextInt(model.size() + 3);
            boolean whole = random.nextBoolean();
            long limit = whole && random.nextBoolean() ? 1 + random.nextInt(10) : 0;
            long removed = stream.trim(new StreamTrim.ToLength(most, whole, limit));
            assertThat(model.size() - removed).isGreaterThanOrEqualTo(Math.min(most, model.size()));
            drop(removed);
            if (whole) {
                assertThat(limit == 0 || removed <= limit).isTrue();
            } else {
                assertThat(stream.length()).isLessThanOrEqualTo(most);
            }
        }

        private void trimToId() {
            StreamId least = anyId();
            boolean whole = random.nextBoolean();
            long tooMany = model.headMap(least, false).size();
            long removed = stream.trim(new StreamTrim.ToId(least, whole, 0));
            assertThat(removed).isBetween(whole ? 0 : tooMany, tooMany);
            drop(removed);
        }

        private void drop(long count) {
            for (long i = 0; i < count; i++) {
                model.pollFirstEntry();
            }
        }

        void check() {
            assertThat(entries(stream.log(), StreamId.ZERO, StreamId.MAX, false))
                    .isEqualTo(text(model));
            assertThat(entries(stream.log(), StreamId.ZERO, StreamId.MAX, true)).isEqualTo(text(model.descendingMap()));
            assertThat(stream.length()).isEqualTo(model.size());
            assertThat(stream.log().first()).isEqualTo(model.isEmpty() ? StreamId.ZERO : model.firstKey());
            assertThat(stream.log().last()).isEqualTo(model.isEmpty() ? StreamId.ZERO : model.lastKey());
            assertThat(stream.maxDeletedId()).isEqualTo(maxDeleted);
            assertThat(stream.entriesAdded()).isEqualTo(added);
            checkChunks();
        }

        private void checkChunks() {
            long live = 0;
            long bytes = 0;
            for (StreamChunk chunk : stream.log().chunks()) {
                assertThat(chunk.live()).isPositive();
                assertThat((long) chunk.live() + chunk.removed()).isLessThanOrEqualTo(limits.entries());
                StreamChunkCheck check =
                        new StreamChunkCheck(chunk.base(), chunk.list().copy());
                assertThat(check.passes()).isTrue();
                assertThat(check.live()).isEqualTo(chunk.live());
                assertThat(check.removed()).isEqualTo(chunk.removed());
                live += chunk.live();
                bytes += 72 + chunk.bytes();
            }
            assertThat(live).isEqualTo(stream.length());
            assertThat(stream.bytes() - new StreamValue().bytes()).isEqualTo(bytes);
        }
    }

    private static Request request(List<String> words) {
        byte[][] arguments = new byte[words.size()][];
        for (int i = 0; i < arguments.length; i++) {
            arguments[i] = words.get(i).getBytes(StandardCharsets.ISO_8859_1);
        }
        return Request.of(arguments);
    }

    private static List<String> text(NavigableMap<StreamId, List<String>> entries) {
        List<String> all = new ArrayList<>();
        entries.forEach((id, fields) -> all.add(id + " " + fields));
        return all;
    }

    private static List<String> entries(StreamLog log, StreamId from, StreamId to, boolean backwards) {
        List<String> all = new ArrayList<>();
        StreamCursor cursor = log.cursor(from, to, backwards);
        while (cursor.next()) {
            List<String> fields = new ArrayList<>();
            cursor.give(new Texts(fields));
            assertThat(fields).hasSize(2 * cursor.fields());
            all.add(cursor.id() + " " + fields);
        }
        return all;
    }

    private record Texts(List<String> to) implements ElementSink {
        @Override
        public void slice(byte[] array, int offset, int length) {
            to.add(new String(array, offset, length, StandardCharsets.ISO_8859_1));
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

    @Property(tries = 300)
    void behavesAsASortedMap(@ForAll long seed, @ForAll @IntRange(min = 1, max = 12) int most) {
        Bed bed = new Bed(seed, new StreamLimits(0, most));
        for (int i = 0; i < 120; i++) {
            bed.step();
            bed.check();
        }
    }

    @Property(tries = 200)
    void rangesAreThoseOfASortedMap(@ForAll long seed) {
        Bed bed = new Bed(seed, new StreamLimits(0, 5));
        for (int i = 0; i < 60; i++) {
            bed.step();
        }
        for (int i = 0; i < 30; i++) {
            StreamId from = bed.anyId();
            StreamId to = bed.anyId();
            boolean backwards = bed.random.nextBoolean();
            List<String> expected = from.isAfter(to)
                    ? List.of()
                    : text(
                            backwards
                                    ? bed.model.subMap(from, true, to, true).descendingMap()
                                    : bed.model.subMap(from, true, to, true));
            assertThat(entries(bed.stream.log(), from, to, backwards)).isEqualTo(expected);
            assertThat(bed.stream.log().contains(from)).isEqualTo(bed.model.containsKey(from));
            int wanted = bed.random.nextInt(10);
            StreamLog copy = bed.stream.log().copyRange(from, to, backwards, wanted);
            List<String> copied = entries(copy, from, to, backwards);
            assertThat(copied).hasSizeGreaterThanOrEqualTo(Math.min(wanted, expected.size()));
            assertThat(copied).isEqualTo(expected.subList(0, copied.size()));
        }
    }

    @Property(tries = 100)
    void aCopySharesNothing(@ForAll long seed) {
        Bed bed = new Bed(seed, new StreamLimits(200, 7));
        for (int i = 0; i < 60; i++) {
            bed.step();
        }
        StreamValue copy = bed.stream.copy();
        List<String> before = text(bed.model);
        for (int i = 0; i < 60; i++) {
            bed.step();
        }
        assertThat(entries(copy.log(), StreamId.ZERO, StreamId.MAX, false)).isEqualTo(before);
    }

    @Test
    void chunksEndWhereRedisEndsNodes() {
        // stream-node-max-bytes 60, as redis-server 7.0.15 has cut them
        StreamValue stream = new StreamValue();
        StreamLimits limits = new StreamLimits(60, 0);
        long seq = 1;
        for (List<String> fields : List.of(
                List.of("field", "value"),
                List.of("field", "value"),
                List.of("field", "value"),
                List.of("field", "123"),
                List.of("other", "value"),
                List.of("field", "value"))) {
            stream.append(new StreamId(1, seq++), request(fields), 0, 1, limits);
        }
        assertThat(stream.log().chunks()).extracting(StreamChunk::live).containsExactly(2, 3, 1);
    }

    @Test
    void idsAreUnsigned() {
        StreamId large = new StreamId(-1, -2);
        assertThat(large.toString()).isEqualTo("18446744073709551615-18446744073709551614");
        assertThat(new String(large.toBytes(), StandardCharsets.US_ASCII)).isEqualTo(large.toString());
        assertThat(large).isGreaterThan(new StreamId(Long.MAX_VALUE, -1));
        assertThat(large.next()).isEqualTo(StreamId.MAX);
        assertThat(StreamId.MAX.next()).isEqualTo(StreamId.ZERO);
        assertThat(StreamId.ZERO.previous()).isEqualTo(StreamId.MAX);
        assertThat(new StreamId(5, 0).previous()).isEqualTo(new StreamId(4, -1));
        assertThat(new String(new StreamId(12, 345).toBytes(), StandardCharsets.US_ASCII))
                .isEqualTo("12-345");
        StreamValue stream = new StreamValue();
        List<String> fields = List.of("f", "v");
        for (StreamId id : List.of(new StreamId(1, 0), new StreamId(Long.MAX_VALUE, 7), large)) {
            stream.append(id, request(fields), 0, 1, new StreamLimits(0, 100));
        }
        assertThat(entries(stream.log(), StreamId.ZERO, StreamId.MAX, false))
                .containsExactly("1-0 [f, v]", Long.MAX_VALUE + "-7 [f, v]", large + " [f, v]");
    }

    @Test
    void removedEntriesAreSqueezedOut() {
        StreamValue stream = new StreamValue();
        for (int i = 1; i <= 200; i++) {
            stream.append(new StreamId(i, 0), request(List.of("f", "value" + i)), 0, 1, new StreamLimits(0, 100));
        }
        long before = stream.bytes();
        for (int i = 1; i < 100; i++) {
            stream.remove(new StreamId(i, 0));
        }
        assertThat(stream.bytes()).isLessThan(before * 6 / 10);
        assertThat(stream.log().chunks()).extracting(StreamChunk::live).containsExactly(1, 100);
        stream.remove(new StreamId(100, 0));
        assertThat(stream.log().chunks()).extracting(StreamChunk::live).containsExactly(100);
    }
}
