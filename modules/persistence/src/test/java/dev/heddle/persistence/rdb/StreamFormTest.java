package dev.heddle.persistence.rdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.heddle.command.config.Settings;
import dev.heddle.persistence.snapshot.Chunk;
import dev.heddle.resp.Request;
import dev.heddle.store.value.ConsumerGroup;
import dev.heddle.store.value.PendingEntry;
import dev.heddle.store.value.StreamConsumer;
import dev.heddle.store.value.StreamId;
import dev.heddle.store.value.StreamLimits;
import dev.heddle.store.value.StreamValue;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

class StreamFormTest {

    /** What DUMP of redis-server 7.0.15 has answered for a stream with two groups, without the type and what follows the value. */
    static final String OF_REDIS_7_0 =
            "011000000000000000010000000000000001c34049404e124e0000001f0003010101020181610281620200200900002001401102050103"
                    + "600902030104200b401300062017068163028178020620270f0201dfff02050184776f7264050501ff0303000101010204020167030004"
                    + "03000000000000000100000000000000010068e5cf8b01000005000000000000000200000000000000070daec531a20100000100000000"
                    + "00000003000000000000000011aec531a2010000010205616c6963650daec531a201000001000000000000000200000000000000070362"
                    + "6f6219aec531a20100000200000000000000010000000000000001000000000000000300000000000000000168030081ffffffffffffff"
                    + "ff0000";

    private static final int TYPE_7_0 = 19;
    private static final int TYPE_7_2 = 21;
    private static final int TYPE_5_0 = 15;

    private static StreamValue read(int type, byte[] bytes) throws IOException {
        RdbInput in = new RdbInput(bytes, 0, bytes.length);
        Object value = new ValueReader(new Settings().encoding, new Random(1)).read(type, in);
        assertThat(in.remaining()).isZero();
        return (StreamValue) Objects.requireNonNull(value);
    }

    private static byte[] write(StreamValue stream, boolean withActivity) {
        Chunk chunk = new Chunk(0, 64);
        StreamForm.write(stream, withActivity, new RdbOutput(chunk, null));
        return Arrays.copyOf(chunk.array(), chunk.size());
    }

    private static StreamValue ofRedis() throws IOException {
        return read(TYPE_7_0, HexFormat.of().parseHex(OF_REDIS_7_0));
    }

    private static ConsumerGroup group(StreamValue stream, String name) {
        return Objects.requireNonNull(stream.group(name.getBytes(StandardCharsets.US_ASCII)));
    }

    private static List<String> pending(ConsumerGroup group) {
        return group.pending().stream().map(StreamFormTest::text).toList();
    }

    private static String text(PendingEntry entry) {
        return entry.id() + " " + new String(entry.consumer().name(), StandardCharsets.US_ASCII) + " "
                + entry.deliveries();
    }

    @Test
    void whatRedisHasWritten() throws IOException {
        StreamValue stream = ofRedis();
        assertThat(stream.length()).isEqualTo(3);
        assertThat(stream.lastId()).isEqualTo(new StreamId(3, 0));
        assertThat(stream.maxDeletedId()).isEqualTo(new StreamId(1, 2));
        assertThat(stream.entriesAdded()).isEqualTo(4);
        assertThat(stream.log().contains(new StreamId(1, 2))).isFalse();
        assertThat(stream.log().contains(new StreamId(2, 7))).isTrue();
        assertThat(group(stream, "g").lastId()).isEqualTo(new StreamId(3, 0));
        assertThat(pending(group(stream, "g"))).containsExactly("1-1 bob 5", "2-7 alice 1", "3-0 bob 1");
        assertThat(group(stream, "g").firstPending(StreamId.ZERO))
                .extracting(PendingEntry::deliveredMillis)
                .isEqualTo(1_700_000_000_000L);
        assertThat(group(stream, "h").entriesRead()).isEqualTo(ConsumerGroup.UNKNOWN);
    }

    @Test
    void theFormOf70IsWrittenByteForByte() throws IOException {
        byte[] ours = write(ofRedis(), false);
        assertThat(read(TYPE_7_0, ours).length()).isEqualTo(3);
        // but for the compression of the chunk, all is the same
        String redis = OF_REDIS_7_0;
        String rest = redis.substring(redis.indexOf("0501ff03") + 6);
        assertThat(HexFormat.of().formatHex(ours)).endsWith(rest);
    }

    @Test
    void theFormOf72KeepsWhenConsumersWereActive() throws IOException {
        StreamValue stream = ofRedis();
        assertThat(StreamForm.hasActivity(stream)).isFalse();
        StreamConsumer alice = group(stream, "g").consumers().iterator().next();
        alice.active(StreamConsumer.NEVER);
        assertThat(StreamForm.hasActivity(stream)).isTrue();
        StreamValue again = read(TYPE_7_2, write(stream, true));
        assertThat(group(again, "g").consumers())
                .extracting(StreamConsumer::activeMillis)
                .containsExactly(StreamConsumer.NEVER, alice.seenMillis() + 12);
        StreamValue early = read(TYPE_7_0, write(stream, false));
        assertThat(StreamForm.hasActivity(early)).isFalse();
        StreamForm.activity(early, StreamForm.activity(stream));
        assertThat(group(early, "g").consumers().iterator().next().activeMillis())
                .isEqualTo(StreamConsumer.NEVER);
        StreamForm.activity(early, new byte[3]); // of another stream: passed over
    }

    @Test
    void theFormOf50LacksWhatTheLagNeeds() throws IOException {
        RdbBytes bytes = new RdbBytes().length(1).string(RdbBytes.latin("\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\1"));
        StreamValue one = new StreamValue();
        Request fields = Request.of(RdbBytes.latin("f"), RdbBytes.latin("v"));
        one.append(new StreamId(1, 1), fields, 0, 1, new StreamLimits(4096, 100));
        byte[] blob = ListpackBuilder.listpack(one.log().chunks().iterator().next());
        bytes.string(blob).length(1).length(1).length(1);
        bytes.length(1).string("g").length(1).length(1).length(0).length(0);
        StreamValue stream = read(TYPE_5_0, bytes.bytes());
        assertThat(stream.entriesAdded()).isEqualTo(1);
        assertThat(group(stream, "g").entriesRead()).isEqualTo(1);
    }

    @Test
    void whatIsDamagedIsRefused() throws IOException {
        byte[] good = write(ofRedis(), false);
        assertThat(read(TYPE_7_0, good)).isNotNull();
        int refused = 0;
        for (int i = 0; i < good.length; i++) {
            byte[] cut = Arrays.copyOf(good, i);
            assertThatThrownBy(() -> read(TYPE_7_0, cut)).isInstanceOf(RdbException.class);
            byte[] changed = good.clone();
            changed[i] ^= 0x11;
            try {
                new ValueReader(new Settings().encoding, new Random(1))
                        .read(TYPE_7_0, new RdbInput(changed, 0, changed.length));
            } catch (RdbException damaged) {
                refused++;
            }
        }
        assertThat(refused).isGreaterThan(30);
    }
}
