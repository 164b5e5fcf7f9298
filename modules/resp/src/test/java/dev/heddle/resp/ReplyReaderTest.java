package dev.heddle.resp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReplyReaderTest {
    @Test
    void repliesOfTheServerAreRead() throws IOException, ProtocolException {
        assertThat(read("%1\r\n+a\r\n~2\r\n:1\r\n_\r\n"))
                .isEqualTo(new Reply.Mapping(List.of(new Reply.Pair(
                        new Reply.Simple("a"), new Reply.Members(List.of(new Reply.Int(1), new Reply.Nil()))))));
        assertThat(read("*-1\r\n")).isEqualTo(new Reply.NilArray());
        assertThat(read("!8\r\nERR a\r\nb\r\n")).isEqualTo(new Reply.Failure("ERR a\r\nb"));
        assertThat(read("=6\r\ntxt:ab\r\n")).isEqualTo(new Reply.Verbatim("txt", Parsing.bytes("ab")));
        assertThat(read(",1e-7\r\n")).isEqualTo(new Reply.Real(1e-7));
    }

    @Test
    void attributesAreSkipped() throws IOException, ProtocolException {
        assertThat(read("|1\r\n+ttl\r\n:3600\r\n$1\r\na\r\n")).isEqualTo(new Reply.Bulk(Parsing.bytes("a")));
        assertThat(read("*1\r\n|1\r\n+x\r\n*1\r\n+y\r\n:1\r\n")).isEqualTo(new Reply.Array(List.of(new Reply.Int(1))));
    }

    @Test
    void aStreamIsReadReplyByReply() throws IOException, ProtocolException {
        var reader = new ReplyReader(new ByteArrayInputStream(Parsing.bytes("+OK\r\n:1\r\n")));
        assertThat(reader.read()).isEqualTo(new Reply.Simple("OK"));
        assertThat(reader.read()).isEqualTo(new Reply.Int(1));
        assertThatThrownBy(reader::read).isInstanceOf(EOFException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "?\r\n",
                ":\r\n",
                ":1x\r\n",
                "$-2\r\n",
                "%-1\r\n",
                "*1.5\r\n",
                "$1\r\nabc",
                "_x\r\n",
                "#x\r\n",
                ",x\r\n",
                "(1x\r\n",
                "(-\r\n",
                "=3\r\ntxt\r\n",
                "+a\rb\r\n",
                "$9999999999\r\n",
                "$?\r\n"
            })
    void garbageIsRefused(String garbage) {
        assertThatThrownBy(() -> read(garbage)).isInstanceOf(ProtocolException.class);
    }

    @Test
    void announcedSizesTakeNoMemory() {
        assertThatThrownBy(() -> read("*2000000000\r\n$2000000000\r\n")).isInstanceOf(EOFException.class);
    }

    @Test
    void nestingIsBounded() {
        assertThatThrownBy(() -> read("*1\r\n".repeat(100_000)))
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining("nested too deep");
    }

    private static Reply read(String encoded) throws IOException, ProtocolException {
        return new ReplyReader(Parsing.bytes(encoded)).read();
    }
}
