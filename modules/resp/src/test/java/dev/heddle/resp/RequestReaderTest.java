package dev.heddle.resp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The expected texts and the accepted oddities were taken from a running redis-server. */
class RequestReaderTest {
    private static final String PING = "*1\r\n$4\r\nPING\r\n";

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            *\\r\\n                  | invalid multibulk length
            *a\\r\\n                 | invalid multibulk length
            *+1\\r\\n                | invalid multibulk length
            *01\\r\\n                | invalid multibulk length
            *-0\\r\\n                | invalid multibulk length
            * 1\\r\\n                | invalid multibulk length
            *2147483648\\r\\n        | invalid multibulk length
            *99999999999999999999\\r\\n | invalid multibulk length
            *1\\r\\n+PING\\r\\n      | expected '$', got '+'
            *1\\r\\n\\r\\n           | expected '$', got '\\r'
            *1\\r\\n\\3774\\r\\n   | expected '$', got '\\377'
            *1\\r\\n$\\r\\n          | invalid bulk length
            *1\\r\\n$-1\\r\\n        | invalid bulk length
            *1\\r\\n$-0\\r\\n        | invalid bulk length
            *1\\r\\n$04\\r\\n        | invalid bulk length
            *1\\r\\n$+4\\r\\n        | invalid bulk length
            *1\\r\\n$536870913\\r\\n | invalid bulk length
            *1\\r\\n$9223372036854775808\\r\\n | invalid bulk length
            PING "a\\r\\n            | unbalanced quotes in request
            PING 'a\\r\\n            | unbalanced quotes in request
            PING "a"b\\r\\n          | unbalanced quotes in request
            PING 'a'b\\r\\n          | unbalanced quotes in request
            PING "a\\\\\\r\\n        | unbalanced quotes in request
            ECHO "a\\nb"\\r\\n       | unbalanced quotes in request
            """)
    void garbageIsRefusedWithTheTextsThatClientsKnow(String stream, String text) {
        var parsing = Parsing.of(stream.translateEscapes());
        assertThat(parsing.error()).isEqualTo("Protocol error: " + text.translateEscapes());
        assertThat(parsing.commands).isEmpty();
    }

    @Test
    void anEndlessLineIsRefusedAfter64KiB() {
        assertLineLimit("", "*", "too big mbulk count string");
        assertLineLimit("*1\r\n", "$", "too big bulk count string");
        assertLineLimit("", "a", "too big inline request");
    }

    private static void assertLineLimit(String before, String first, String text) {
        String line = before + first + "1".repeat(64 * 1024 - 1);
        assertThat(Parsing.of(line).error()).isEqualTo("none");
        assertThat(Parsing.of(line + "1").error()).isEqualTo("Protocol error: " + text);
        assertThat(Parsing.of(line + "1\r\n").error()).isEqualTo("Protocol error: " + text);
    }

    @Test
    void aZeroByteHidesTheEndOfALine() {
        assertThat(Parsing.of("PING\0\r\nPING\r\n").commands).isEmpty();
        assertThat(Parsing.of("\0" + "payload\n".repeat(8193)).error())
                .isEqualTo("Protocol error: too big inline request");
        assertThat(Parsing.of("*\0" + "payload\r\n".repeat(8193)).error())
                .isEqualTo("Protocol error: too big mbulk count string");
    }

    @ParameterizedTest
    @ValueSource(strings = {"*0\r\n", "*-1\r\n", "*-5\r\n", "\r\n", "\n", "   \r\n", "\t\r\n\n\r\n", ""})
    void emptyCommandsAreSkipped(String empty) {
        assertThat(Parsing.of(empty + PING).commands).containsExactly(List.of("PING"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"*1\r\n$4\r\nPINGxx", "*1\r\n$4\rxPING\r\n", "*1\rX$4\r\nPING\r\n"})
    void theBytesOfALineEndAreNotLookedAt(String ping) {
        assertThat(Parsing.of(ping + PING).commands).containsExactly(List.of("PING"), List.of("PING"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"*1\n$4\nPING\n", "*2147483647\r\n", "*1048577\r\n$1\r\na\r\n", "*1\r\n$536870912\r\n"})
    void unfinishedCommandsAreWaitedForInLittleMemory(String stream) {
        var parsing = Parsing.of(stream);
        assertThat(parsing.commands).isEmpty();
        assertThat(parsing.error()).isEqualTo("none");
        assertThat(parsing.mostCapacity).isLessThan(64 * 1024);
    }

    @Test
    void inlineArgumentsAreUnquoted() {
        assertUnquoted("'a\\'b\\x41\\n'", "a'b\\x41\\n");
        assertUnquoted("a\\x41\"b c\"", "a\\x41b c");
        assertUnquoted("a\"b\"", "ab");
        assertUnquoted("\"\\n\\r\\t\\b\\a\"", "\n\r\t\b\u0007");
        assertUnquoted("\"a\\x41\\q\\\"\\\\z\"", "aAq\"\\z");
        assertUnquoted("\"\\x4\"", "x4");
        assertUnquoted("\"\\xzz\"", "xzz");
        assertUnquoted("\"\\xfF\"", "\u00ff");
    }

    private static void assertUnquoted(String quoted, String plain) {
        assertThat(Parsing.of("ECHO " + quoted + "\r\n").commands).containsExactly(List.of("ECHO", plain));
    }

    @Test
    void inlineArgumentsAreSeparatedByBlanks() {
        assertThat(Parsing.of("\t SET  a\tb \"\" ''\rc\u000bd \n").commands)
                .containsExactly(List.of("SET", "a", "b", "", "", "c\u000bd"));
        assertThat(Parsing.of("'PING'\n\"PING\"\r\r\n").commands).containsExactly(List.of("PING"), List.of("PING"));
    }

    @Test
    void anUnauthenticatedClientIsHeldShort() {
        var reader = new RequestReader(new ProtocolLimits());
        reader.authenticated(false);
        var ten = Collections.nCopies(10, "x".repeat(16384));
        assertThat(new Parsing(reader).feed(Parsing.bytes(Parsing.encode(ten))).commands)
                .containsExactly(ten);
        assertThat(new Parsing(reader).feed(Parsing.bytes("*11\r\n")).error())
                .isEqualTo("Protocol error: unauthenticated multibulk length");
        reader = new RequestReader(new ProtocolLimits());
        reader.authenticated(false);
        assertThat(new Parsing(reader).feed(Parsing.bytes("*1\r\n$16385\r\n")).error())
                .isEqualTo("Protocol error: unauthenticated bulk length");
    }

    @Test
    void theLongestArgumentFollowsTheConfiguration() {
        var limits = new ProtocolLimits();
        limits.maxBulk(2_000_000);
        var reader = new RequestReader(limits);
        assertThat(new Parsing(reader).feed(Parsing.bytes("*2\r\n$2000000\r\n")).error())
                .isEqualTo("none");
        assertThat(new Parsing(new RequestReader(limits))
                        .feed(Parsing.bytes("*2\r\n$2000001\r\n"))
                        .error())
                .isEqualTo("Protocol error: invalid bulk length");
    }

    @Test
    void aTlsHelloIsRecognisedAtTheStartOnly() {
        var hello = Parsing.of(new byte[] {0x16, 3, 1, 2, 0, 1}, 1);
        assertThat(hello.failure).isNotNull();
        assertThat(hello.failure.kind()).isEqualTo(ProtocolException.Kind.TLS_HELLO);
        assertThat(Parsing.of("\u0016PING\r\n").commands).containsExactly(List.of("\u0016PING"));
        assertThat(Parsing.of(PING + "\u0016\u0003\r\n").commands)
                .containsExactly(List.of("PING"), List.of("\u0016\u0003"));
    }

    @Test
    void theQueryBufferLimitCountsWhatIsNotExecuted() {
        var limits = new ProtocolLimits();
        limits.queryBufferLimit(2 * 1024 * 1024);
        var stream = Parsing.bytes("*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$3000000\r\n" + "x".repeat(3_000_000));
        var parsing = new Parsing(new RequestReader(limits)).feed(stream, 50_000);
        assertThat(parsing.failure).isNotNull();
        assertThat(parsing.failure.kind()).isEqualTo(ProtocolException.Kind.QUERY_BUFFER_LIMIT);

        var many = Parsing.bytes(
                "*1000000\r\n" + "$100\r\n%s\r\n".formatted("y".repeat(100)).repeat(30_000));
        parsing = new Parsing(new RequestReader(limits)).feed(many, 50_000);
        assertThat(parsing.error()).isEqualTo("query buffer limit reached");

        var reader = new RequestReader(limits);
        reader.queued(2 * 1024 * 1024 + 1);
        assertThat(new Parsing(reader).feed(Parsing.bytes(PING)).error()).isEqualTo("query buffer limit reached");
    }

    @Test
    void aBigArgumentIsHandedOverAndASmallOneCopied() throws ProtocolException {
        String big = "v".repeat(100_000);
        var parsing = Parsing.of("");
        var reader = parsing.reader;
        byte[] stream = Parsing.bytes(Parsing.encode(List.of("SET", "key", big)));
        int at = 0;
        while (!reader.next()) {
            int n = Math.min(reader.room(), stream.length - at);
            System.arraycopy(stream, at, reader.array(), reader.writeIndex(), n);
            reader.received(n);
            at += n;
        }
        var request = reader.request();
        assertThat(Parsing.texts(request)).containsExactly("SET", "key", big);
        assertThat(request.take(2)).isSameAs(request.array(2)).hasSize(100_000);
        assertThat(request.copy(2)).isNotSameAs(request.array(2)).hasSize(100_000);
        assertThat(request.take(1)).isNotSameAs(request.array(1)).isEqualTo(Parsing.bytes("key"));
        var kept = request.detach();
        assertThat(kept.take(2)).isSameAs(request.array(2));
        assertThat(request.wireBytes()).isEqualTo(stream.length);
    }

    @Test
    void aDetachedRequestOutlivesTheBuffer() throws ProtocolException {
        var parsing = Parsing.of("");
        byte[] stream = Parsing.bytes("*2\r\n$4\r\nECHO\r\n$1\r\na\r\n");
        assertThat(parsing.reader.room()).isGreaterThanOrEqualTo(stream.length);
        System.arraycopy(stream, 0, parsing.reader.array(), 0, stream.length);
        parsing.reader.received(stream.length);
        assertThat(parsing.reader.next()).isTrue();
        var kept = parsing.reader.request().detach();
        parsing.feed(Parsing.bytes(PING.repeat(1000)));
        assertThat(Parsing.texts(kept)).containsExactly("ECHO", "a");
    }

    @Test
    void memoryOfHugeCommandsIsGivenBack() {
        var arguments = new ArrayList<>(Collections.nCopies(100_000, "argument"));
        arguments.add("b".repeat(3_000_000));
        byte[] stream = Parsing.bytes(Parsing.encode(arguments));
        var parsing = Parsing.of(stream, 65_536);
        assertThat(parsing.commands).containsExactly(arguments);
        assertThat(parsing.mostCapacity).isGreaterThan(4_000_000).isLessThan(9_000_000);
        parsing.reader.idle();
        assertThat(parsing.reader.capacity()).isLessThan(2048);
    }

    @Test
    void theBufferGrowsWithTheReadsAndShrinksAgain() {
        var parsing = Parsing.of("");
        assertThat(parsing.reader.capacity()).isLessThan(2048);
        parsing.feed(Parsing.bytes(PING.repeat(20_000)));
        assertThat(parsing.reader.capacity()).isBetween(64L * 1024, 66L * 1024);
        for (int i = 0; i < 3000; i++) {
            parsing.feed(Parsing.bytes(PING));
        }
        assertThat(parsing.reader.capacity()).isLessThan(2048);
        assertThat(parsing.commands).hasSize(23_000);
    }

    @Test
    void idleKeepsWhatHasArrived() {
        var parsing = Parsing.of("*2\r\n$4\r\nECHO\r\n$2\r\na");
        parsing.reader.idle();
        assertThat(parsing.reader.hasBuffered()).isTrue();
        assertThat(parsing.feed(Parsing.bytes("b\r\n")).commands).containsExactly(List.of("ECHO", "ab"));
        assertThat(parsing.reader.hasBuffered()).isFalse();
    }

    @Test
    void optionsAreComparedIgnoringCase() {
        var request = Request.of(Parsing.bytes("gEt"), Parsing.bytes("[{"), Parsing.bytes(""));
        assertThat(request.is(0, "GET")).isTrue();
        assertThat(request.is(0, "GETS")).isFalse();
        assertThat(request.is(0, "SET")).isFalse();
        assertThat(request.is(1, "[[")).isFalse();
        assertThat(request.is(2, "")).isTrue();
        assertThat(request.count()).isEqualTo(3);
        assertThat(Request.of(new byte[20][0]).count()).isEqualTo(20);
    }
}
