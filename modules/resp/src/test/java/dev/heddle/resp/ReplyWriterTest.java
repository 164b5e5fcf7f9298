package dev.heddle.resp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class ReplyWriterTest {
    private final ReplyWriter writer = new ReplyWriter();

    @Test
    void everyReplyTypeInBothProtocols() {
        assertEncoding(ReplyWriter::ok, "+OK\r\n", "+OK\r\n");
        assertEncoding(ReplyWriter::pong, "+PONG\r\n", "+PONG\r\n");
        assertEncoding(ReplyWriter::queued, "+QUEUED\r\n", "+QUEUED\r\n");
        assertEncoding(w -> w.simple("none"), "+none\r\n", "+none\r\n");
        assertEncoding(w -> w.error("ERR a\r\nb"), "-ERR a  b\r\n", "-ERR a  b\r\n");
        assertEncoding(w -> w.error(Parsing.bytes("ERR \u00ff")), "-ERR \u00ff\r\n", "-ERR \u00ff\r\n");
        assertEncoding(w -> w.integer(-12), ":-12\r\n", ":-12\r\n");
        assertEncoding(w -> w.integer(Long.MIN_VALUE), ":-9223372036854775808\r\n", ":-9223372036854775808\r\n");
        assertEncoding(w -> w.bulk("a\r\nb"), "$4\r\na\r\nb\r\n", "$4\r\na\r\nb\r\n");
        assertEncoding(w -> w.bulk(Parsing.bytes("xaby"), 1, 2), "$2\r\nab\r\n", "$2\r\nab\r\n");
        assertEncoding(w -> w.bulkShared(new byte[0]), "$0\r\n\r\n", "$0\r\n\r\n");
        assertEncoding(w -> w.bulkLong(-100), "$4\r\n-100\r\n", "$4\r\n-100\r\n");
        assertEncoding(ReplyWriter::nil, "$-1\r\n", "_\r\n");
        assertEncoding(ReplyWriter::nilArray, "*-1\r\n", "_\r\n");
        assertEncoding(w -> w.array(3), "*3\r\n", "*3\r\n");
        assertEncoding(w -> w.map(3), "*6\r\n", "%3\r\n");
        assertEncoding(w -> w.set(3), "*3\r\n", "~3\r\n");
        assertEncoding(w -> w.push(3), "*3\r\n", ">3\r\n");
        assertEncoding(w -> w.real(12.5), "$4\r\n12.5\r\n", ",12.5\r\n");
        assertEncoding(w -> w.real(Double.NEGATIVE_INFINITY), "$4\r\n-inf\r\n", ",-inf\r\n");
        assertEncoding(w -> w.bool(true), ":1\r\n", "#t\r\n");
        assertEncoding(w -> w.bool(false), ":0\r\n", "#f\r\n");
        assertEncoding(
                w -> w.bigNumber("12345678901234567890"),
                "$20\r\n12345678901234567890\r\n",
                "(12345678901234567890\r\n");
        assertEncoding(w -> w.verbatim("txt", Parsing.bytes("hi")), "$2\r\nhi\r\n", "=6\r\ntxt:hi\r\n");
        assertEncoding(w -> w.raw(Parsing.bytes(":7\r\n")), ":7\r\n", ":7\r\n");
        assertEncoding(w -> w.raw(Parsing.bytes("::7\r\nx"), 1, 4), ":7\r\n", ":7\r\n");
    }

    private void assertEncoding(Consumer<ReplyWriter> reply, String resp2, String resp3) {
        writer.protocol(2);
        reply.accept(writer);
        assertThat(drained()).isEqualTo(resp2);
        writer.protocol(3);
        reply.accept(writer);
        assertThat(drained()).isEqualTo(resp3);
        writer.protocol(2);
    }

    @Test
    void onlyTwoProtocolsExist() {
        assertThatThrownBy(() -> writer.protocol(4)).isInstanceOf(IllegalArgumentException.class);
        assertThat(writer.protocol()).isEqualTo(2);
    }

    @Test
    void lateHeadersStandBeforeTheirElements() {
        int outer = writer.deferred();
        writer.integer(1);
        int inner = writer.deferred();
        writer.bulk("x");
        writer.bulk("y");
        writer.closeMap(inner, 1);
        int empty = writer.deferred();
        writer.closeSet(empty, 0);
        writer.closeArray(outer, 3);
        assertThat(drained()).isEqualTo("*3\r\n:1\r\n*2\r\n$1\r\nx\r\n$1\r\ny\r\n*0\r\n");
    }

    @Test
    void lateHeadersAreClosedInnermostFirst() {
        int outer = writer.deferred();
        writer.deferred();
        assertThatThrownBy(() -> writer.closeArray(outer, 0)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aLateHeaderBeforeMoreThanAChunk() {
        int outer = writer.deferred();
        int inner = writer.deferred();
        for (int i = 0; i < 10_000; i++) {
            writer.bulkLong(i);
        }
        writer.closeArray(inner, 10_000);
        writer.integer(5);
        writer.closeArray(outer, 2);
        var expected = new StringBuilder("*2\r\n*10000\r\n");
        for (int i = 0; i < 10_000; i++) {
            var digits = Integer.toString(i);
            expected.append('$')
                    .append(digits.length())
                    .append("\r\n")
                    .append(digits)
                    .append("\r\n");
        }
        assertThat(drained()).isEqualTo(expected + ":5\r\n");
    }

    @Test
    void aFailedReplyIsTakenBack() {
        writer.ok();
        long mark = writer.mark();
        long size = writer.size();
        writer.array(3);
        writer.deferred();
        writer.bulkShared(new byte[40_000]);
        for (int i = 0; i < 20_000; i++) {
            writer.integer(i);
        }
        writer.rollback(mark);
        assertThat(writer.size()).isEqualTo(size);
        writer.error("ERR no");
        assertThat(drained()).isEqualTo("+OK\r\n-ERR no\r\n");
    }

    @Test
    void aMarkInsideAClosedAggregateIsRefused() {
        int open = writer.deferred();
        long mark = writer.mark();
        writer.closeArray(open, 0);
        assertThatThrownBy(() -> writer.rollback(mark)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void largeSharedArraysAreNotCopied() throws IOException {
        var large = new byte[16 * 1024];
        var small = new byte[16 * 1024 - 1];
        writer.bulkShared(large);
        writer.bulkShared(small);
        writer.bulk(large);
        Set<byte[]> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        writer.drainTo((array, offset, length) -> seen.add(array));
        assertThat(seen.contains(large)).isTrue();
        assertThat(seen.contains(small)).isFalse();
    }

    @Test
    void anEmptyWriterHoldsLittle() {
        assertThat(writer.capacity()).isLessThan(1024);
        for (int i = 0; i < 50_000; i++) {
            writer.bulk("0123456789");
        }
        assertThat(writer.size()).isEqualTo(17 * 50_000);
        assertThat(writer.toByteArray()).hasSize(17 * 50_000);
        drained();
        assertThat(writer.size()).isZero();
        assertThat(writer.capacity()).isLessThan(17 * 1024);
        writer.idle();
        assertThat(writer.capacity()).isLessThan(1024);
    }

    @Test
    void idleKeepsWhatIsNotDrained() {
        writer.bulkShared(new byte[20_000]);
        writer.idle();
        assertThat(writer.size()).isEqualTo(20_010);
    }

    @Test
    void theWriterIsEmptyAfterAFailedDrain() {
        writer.ok();
        assertThatThrownBy(() -> writer.drainTo((array, offset, length) -> {
                    throw new IOException("gone");
                }))
                .isInstanceOf(IOException.class);
        assertThat(writer.size()).isZero();
        writer.pong();
        assertThat(drained()).isEqualTo("+PONG\r\n");
    }

    private String drained() {
        var all = new ByteArrayOutputStream();
        try {
            long size = writer.size();
            byte[] copy = writer.toByteArray();
            writer.drainTo(all::write);
            assertThat(all.size()).isEqualTo((int) size);
            assertThat(copy).isEqualTo(all.toByteArray());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return all.toString(StandardCharsets.ISO_8859_1);
    }
}
