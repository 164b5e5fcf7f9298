package dev.heddle.resp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** What {@link ReplyWriter} writes is what {@link ReplyReader} reads. */
class ReplyRoundTripTest {
    private final Random coin = new Random(1);

    @Property(tries = 500)
    void everyReplySurvivesInBothProtocols(@ForAll("replies") List<Reply> replies)
            throws IOException, ProtocolException {
        for (int protocol = 2; protocol <= 3; protocol++) {
            var writer = new ReplyWriter();
            writer.protocol(protocol);
            replies.forEach(reply -> write(writer, reply));
            var reader = new ReplyReader(writer.toByteArray());
            for (Reply reply : replies) {
                assertThat(reader.read()).isEqualTo(protocol == 3 ? reply : inResp2(reply));
            }
        }
    }

    @Property(tries = 500)
    void rollingBackLeavesWhatWasBefore(@ForAll("replies") List<Reply> before, @ForAll("replies") List<Reply> after) {
        var writer = new ReplyWriter();
        before.forEach(reply -> write(writer, reply));
        byte[] expected = writer.toByteArray();
        long mark = writer.mark();
        after.forEach(reply -> write(writer, reply));
        writer.deferred();
        writer.rollback(mark);
        assertThat(writer.toByteArray()).isEqualTo(expected);
        before.forEach(reply -> write(writer, reply));
        assertThat(writer.toByteArray())
                .hasSize(2 * expected.length)
                .startsWith(expected)
                .endsWith(expected);
    }

    @Property(tries = 1000)
    void damagedRepliesAreRepliesOrErrors(@ForAll("replies") List<Reply> replies, @ForAll long seed) {
        var writer = new ReplyWriter();
        writer.protocol(3);
        replies.forEach(reply -> write(writer, reply));
        byte[] bytes = writer.toByteArray();
        var random = new Random(seed);
        for (int i = 0; i < 3; i++) {
            bytes[random.nextInt(Math.min(bytes.length, 100))] =
                    Parsing.bytes("*$%~>,#(=!_|\r\n-0123456789")[random.nextInt(24)];
        }
        var reader = new ReplyReader(bytes);
        int read = 0;
        try {
            for (; read <= bytes.length; read++) {
                reader.read();
            }
        } catch (IOException | ProtocolException expected) {
            assertThat(expected).hasMessageMatching("(?s)reply cut short|Protocol error: .*");
        }
        assertThat(read).isLessThanOrEqualTo(bytes.length);
    }

    private void write(ReplyWriter to, Reply reply) {
        switch (reply) {
            case Reply.Simple simple -> to.simple(simple.text());
            case Reply.Failure failure -> to.error(failure.text());
            case Reply.Int integer -> to.integer(integer.value());
            case Reply.Bulk bulk -> bulk(to, bulk.bytes());
            case Reply.Nil nil -> to.nil();
            case Reply.NilArray nil -> to.nilArray();
            case Reply.Array array -> array(to, array.elements());
            case Reply.Mapping mapping -> mapping(to, mapping.pairs());
            case Reply.Members members -> members(to, members.elements());
            case Reply.Push push -> {
                to.push(push.elements().size());
                push.elements().forEach(element -> write(to, element));
            }
            case Reply.Real real -> to.real(real.value());
            case Reply.Bool bool -> to.bool(bool.value());
            case Reply.BigNumber number -> to.bigNumber(number.value().toString());
            case Reply.Verbatim verbatim -> to.verbatim(verbatim.format(), verbatim.bytes());
        }
    }

    private void bulk(ReplyWriter to, byte[] bytes) {
        if (coin.nextBoolean()) {
            to.bulk(bytes);
        } else {
            to.bulkShared(bytes);
        }
    }

    private void array(ReplyWriter to, List<Reply> elements) {
        boolean late = coin.nextBoolean();
        int mark = late ? to.deferred() : 0;
        if (!late) {
            to.array(elements.size());
        }
        elements.forEach(element -> write(to, element));
        if (late) {
            to.closeArray(mark, elements.size());
        }
    }

    private void members(ReplyWriter to, List<Reply> elements) {
        int mark = to.deferred();
        elements.forEach(element -> write(to, element));
        to.closeSet(mark, elements.size());
    }

    private void mapping(ReplyWriter to, List<Reply.Pair> pairs) {
        boolean late = coin.nextBoolean();
        int mark = late ? to.deferred() : 0;
        if (!late) {
            to.map(pairs.size());
        }
        pairs.forEach(pair -> {
            write(to, pair.key());
            write(to, pair.value());
        });
        if (late) {
            to.closeMap(mark, pairs.size());
        }
    }

    private static Reply inResp2(Reply reply) {
        return switch (reply) {
            case Reply.Simple simple -> simple;
            case Reply.Failure failure -> failure;
            case Reply.Int integer -> integer;
            case Reply.Bulk bulk -> bulk;
            case Reply.Nil nil -> nil;
            case Reply.NilArray nil -> nil;
            case Reply.Array array -> resp2Array(array.elements());
            case Reply.Mapping mapping -> {
                var flat = new ArrayList<Reply>();
                mapping.pairs().forEach(pair -> {
                    flat.add(pair.key());
                    flat.add(pair.value());
                });
                yield resp2Array(flat);
            }
            case Reply.Members members -> resp2Array(members.elements());
            case Reply.Push push -> resp2Array(push.elements());
            case Reply.Real real -> new Reply.Bulk(Numbers.toBytes(real.value()));
            case Reply.Bool bool -> new Reply.Int(bool.value() ? 1 : 0);
            case Reply.BigNumber number ->
                new Reply.Bulk(Parsing.bytes(number.value().toString()));
            case Reply.Verbatim verbatim -> new Reply.Bulk(verbatim.bytes());
        };
    }

    private static Reply resp2Array(List<Reply> elements) {
        return new Reply.Array(
                elements.stream().map(ReplyRoundTripTest::inResp2).toList());
    }

    @Provide
    Arbitrary<List<Reply>> replies() {
        return reply(2).list().ofMinSize(1).ofMaxSize(6);
    }

    private Arbitrary<Reply> reply(int depth) {
        var text = Arbitraries.strings().withChars("az \u00ff\0").ofMaxLength(8);
        var bytes = Arbitraries.oneOf(
                Arbitraries.strings()
                        .withChars("az\r\n\0\u00ff")
                        .ofMaxLength(20)
                        .map(Parsing::bytes),
                Arbitraries.integers().between(0, 40_000).map(byte[]::new));
        Arbitrary<Reply> leaf = Arbitraries.oneOf(
                text.map(Reply.Simple::new),
                text.map(Reply.Failure::new),
                Arbitraries.longs().map(Reply.Int::new),
                bytes.map(Reply.Bulk::new),
                Arbitraries.of(new Reply.Nil(), new Reply.Bool(true), new Reply.Bool(false)),
                Arbitraries.doubles().map(Reply.Real::new),
                Arbitraries.of(Double.NaN, Double.POSITIVE_INFINITY, -0.0).map(Reply.Real::new),
                Arbitraries.bigIntegers()
                        .between(BigInteger.TEN.pow(40).negate(), BigInteger.TEN.pow(40))
                        .map(Reply.BigNumber::new),
                bytes.map(b -> new Reply.Verbatim("mkd", b)));
        if (depth == 0) {
            return leaf;
        }
        var inner = reply(depth - 1);
        var elements = inner.list().ofMaxSize(5);
        var pairs = Combinators.combine(inner, inner).as(Reply.Pair::new).list().ofMaxSize(4);
        return Arbitraries.oneOf(
                leaf,
                leaf,
                elements.map(Reply.Array::new),
                elements.map(Reply.Members::new),
                elements.map(Reply.Push::new),
                pairs.map(Reply.Mapping::new));
    }
}
