package dev.heddle.store.value;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.resp.Request;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class ConsumerGroupTest {

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** A group beside a map from ids to who has them: "consumer time deliveries". */
    private static final class Bed {
        final Random random;
        final StreamValue stream = new StreamValue();
        final ConsumerGroup group = stream.addGroup(bytes("g"), StreamId.ZERO, 0);
        final TreeMap<String, TreeMap<StreamId, String>> model = new TreeMap<>();
        final long empty = stream.bytes();

        Bed(long seed) {
            random = new Random(seed);
        }

        void step() {
            String name = "consumer" + random.nextInt(4);
            StreamConsumer consumer = group.consumer(bytes(name));
            assertThat(consumer != null).isEqualTo(model.containsKey(name));
            if (consumer == null) {
                group.addConsumer(bytes(name), random.nextInt(1000));
                model.put(name, new TreeMap<>());
                return;
            }
            StreamId id = new StreamId(random.nextInt(3), random.nextInt(6));
            PendingEntry entry = group.pending(id);
            long millis = random.nextInt(1000);
            switch (random.nextInt(entry == null ? 3 : 6)) {
                case 0 -> {
                    if (random.nextInt(4) == 0) {
                        group.removeConsumer(consumer);
                        model.remove(name);
                    }
                }
                case 1, 2 -> {
                    if (entry == null) {
                        group.addPending(id, consumer, millis, 1);
                        own(name).put(id, millis + " 1");
                    }
                }
                case 3, 4 -> {
                    group.reassign(entry, consumer);
                    entry.delivered(millis, entry.deliveries() + 1);
                    model.values().forEach(all -> all.remove(id));
                    own(name).put(id, millis + " " + entry.deliveries());
                }
                default -> {
                    group.removePending(entry);
                    model.values().forEach(all -> all.remove(id));
                }
            }
        }

        private Map<StreamId, String> own(String name) {
            return model.get(name);
        }

        void check(ConsumerGroup checked) {
            TreeMap<StreamId, String> all = new TreeMap<>();
            TreeMap<String, TreeMap<StreamId, String>> byConsumer = new TreeMap<>();
            for (StreamConsumer consumer : checked.consumers()) {
                TreeMap<StreamId, String> own = new TreeMap<>();
                for (PendingEntry entry : consumer.pending()) {
                    assertThat(entry.consumer()).isSameAs(consumer);
                    assertThat(checked.pending(entry.id())).isSameAs(entry);
                    own.put(entry.id(), entry.deliveredMillis() + " " + entry.deliveries());
                }
                byConsumer.put(new String(consumer.name(), StandardCharsets.US_ASCII), own);
                all.putAll(own);
            }
            assertThat(byConsumer).isEqualTo(model);
            assertThat(checked.pending()).extracting(PendingEntry::id).containsExactlyElementsOf(all.keySet());
            assertThat(checked.pendingCount()).isEqualTo(all.size());
            StreamId from = new StreamId(1, random.nextInt(6));
            Map.Entry<StreamId, String> next = all.ceilingEntry(from);
            PendingEntry first = checked.firstPending(from);
            assertThat(first == null ? null : first.id()).isEqualTo(next == null ? null : next.getKey());
        }
    }

    @Property(tries = 300)
    void behavesAsAMapOfMaps(@ForAll long seed) {
        Bed bed = new Bed(seed);
        for (int i = 0; i < 100; i++) {
            bed.step();
            bed.check(bed.group);
        }
        StreamValue copy = bed.stream.copy();
        ConsumerGroup copied = copy.group(bytes("g"));
        assertThat(copied).isNotNull();
        bed.check(copied);
        assertThat(copy.bytes()).isEqualTo(bed.stream.bytes());
        List.copyOf(bed.group.consumers()).forEach(bed.group::removeConsumer);
        assertThat(bed.stream.bytes()).isEqualTo(bed.empty);
        bed.stream.removeGroup(bed.group);
        assertThat(bed.stream.bytes()).isEqualTo(new StreamValue().bytes());
        assertThat(copied.pendingCount()).isEqualTo(copied.pending().size());
    }

    private static StreamValue oneToFive() {
        StreamValue stream = new StreamValue();
        for (int i = 1; i <= 5; i++) {
            stream.append(new StreamId(i, 0), Request.of(bytes("f"), bytes("v")), 0, 1, new StreamLimits(4096, 100));
        }
        return stream;
    }

    @Test
    void theLagIsComputedAsLongAsNothingIsMissingInTheMiddle() {
        StreamValue stream = oneToFive();
        ConsumerGroup group = stream.addGroup(bytes("g"), StreamId.ZERO, ConsumerGroup.UNKNOWN);
        assertThat(stream.lag(group)).isEqualTo(OptionalLong.of(5));
        stream.advance(group, new StreamId(1, 0));
        assertThat(group.entriesRead()).isEqualTo(1);
        assertThat(stream.lag(group)).isEqualTo(OptionalLong.of(4));
        stream.remove(new StreamId(3, 0));
        assertThat(stream.lag(group)).isEmpty();
        stream.advance(group, new StreamId(2, 0));
        assertThat(group.entriesRead()).isEqualTo(ConsumerGroup.UNKNOWN);
        stream.advance(group, new StreamId(5, 0));
        assertThat(stream.lag(group)).isEqualTo(OptionalLong.of(0));
        assertThat(group.entriesRead()).isEqualTo(5);
    }

    @Test
    void anIdBeforeTheLastOneIsNoProgress() {
        StreamValue stream = oneToFive();
        ConsumerGroup group = stream.addGroup(bytes("g"), new StreamId(4, 0), 4);
        stream.advance(group, new StreamId(2, 0));
        assertThat(group.lastId()).isEqualTo(new StreamId(4, 0));
        assertThat(group.entriesRead()).isEqualTo(4);
    }

    @Test
    void aNewStreamHasNoLag() {
        StreamValue stream = new StreamValue();
        ConsumerGroup group = stream.addGroup(bytes("g"), new StreamId(9, 9), ConsumerGroup.UNKNOWN);
        assertThat(stream.lag(group)).isEqualTo(OptionalLong.of(0));
    }
}
