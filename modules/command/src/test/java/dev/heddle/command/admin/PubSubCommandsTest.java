package dev.heddle.command.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.command.catalog.CommandTester;
import dev.heddle.command.catalog.CommandTester.Client;
import org.junit.jupiter.api.Test;

class PubSubCommandsTest {

    private static final String REFUSED =
            "': only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT / RESET are allowed in" + " this context\r\n";

    private final CommandTester server = new CommandTester();
    private final Client subscriber = server.connect();

    private static String ack(String verb, String name, int count) {
        return "*3\r\n" + bulk(verb) + bulk(name) + ":" + count + "\r\n";
    }

    private static String bulk(String text) {
        return "$" + text.length() + "\r\n" + text + "\r\n";
    }

    private static String message(String channel, String text) {
        return "*3\r\n" + bulk("message") + bulk(channel) + bulk(text);
    }

    @Test
    void everyChannelIsAcknowledged() {
        assertThat(subscriber.run("SUBSCRIBE", "a", "b", "a"))
                .isEqualTo(ack("subscribe", "a", 1) + ack("subscribe", "b", 2) + ack("subscribe", "a", 2));
        assertThat(subscriber.run("PSUBSCRIBE", "p*")).isEqualTo(ack("psubscribe", "p*", 3));
        assertThat(subscriber.run("SSUBSCRIBE", "s")).isEqualTo(ack("ssubscribe", "s", 1));
        assertThat(subscriber.run("UNSUBSCRIBE", "nosuch", "b"))
                .isEqualTo(ack("unsubscribe", "nosuch", 3) + ack("unsubscribe", "b", 2));
        assertThat(subscriber.run("UNSUBSCRIBE")).isEqualTo(ack("unsubscribe", "a", 1));
        assertThat(subscriber.run("PUNSUBSCRIBE")).isEqualTo(ack("punsubscribe", "p*", 0));
        assertThat(subscriber.run("SUNSUBSCRIBE")).isEqualTo(ack("sunsubscribe", "s", 0));
    }

    @Test
    void unsubscribingFromNothingIsAcknowledged() {
        assertThat(subscriber.run("UNSUBSCRIBE")).isEqualTo("*3\r\n$11\r\nunsubscribe\r\n$-1\r\n:0\r\n");
        assertThat(subscriber.run("PUNSUBSCRIBE")).isEqualTo("*3\r\n$12\r\npunsubscribe\r\n$-1\r\n:0\r\n");
        subscriber.run("HELLO", "3");
        assertThat(subscriber.run("SUNSUBSCRIBE")).isEqualTo(">3\r\n$12\r\nsunsubscribe\r\n_\r\n:0\r\n");
    }

    @Test
    void messagesReachChannelsAndPatterns() {
        subscriber.run("SUBSCRIBE", "news");
        subscriber.run("PSUBSCRIBE", "n?ws", "other*");
        assertThat(server.run("PUBLISH", "news", "x")).isEqualTo(":2\r\n");
        assertThat(subscriber.messages())
                .isEqualTo(
                        message("news", "x") + "*4\r\n" + bulk("pmessage") + bulk("n?ws") + bulk("news") + bulk("x"));
        assertThat(server.run("PUBLISH", "nobody", "x")).isEqualTo(":0\r\n");
        assertThat(server.run("SPUBLISH", "news", "x")).isEqualTo(":0\r\n");
        assertThat(subscriber.messages()).isEmpty();
    }

    @Test
    void shardChannelsAreASpaceOfTheirOwn() {
        subscriber.run("SSUBSCRIBE", "news");
        assertThat(server.run("PUBLISH", "news", "x")).isEqualTo(":0\r\n");
        assertThat(server.run("SPUBLISH", "news", "x")).isEqualTo(":1\r\n");
        assertThat(subscriber.messages()).isEqualTo("*3\r\n" + bulk("smessage") + bulk("news") + bulk("x"));
    }

    @Test
    void subscribersOfResp2MayDoLittle() {
        subscriber.run("SUBSCRIBE", "a");
        assertThat(subscriber.run("GET", "k")).isEqualTo("-ERR Can't execute 'get" + REFUSED);
        assertThat(subscriber.run("CONFIG", "GET", "x")).isEqualTo("-ERR Can't execute 'config|get" + REFUSED);
        assertThat(subscriber.run("PING")).isEqualTo("*2\r\n$4\r\npong\r\n$0\r\n\r\n");
        assertThat(subscriber.run("PING", "x")).isEqualTo("*2\r\n$4\r\npong\r\n$1\r\nx\r\n");
        assertThat(subscriber.run("UNSUBSCRIBE")).isEqualTo(ack("unsubscribe", "a", 0));
        assertThat(subscriber.run("GET", "k")).isEqualTo("$-1\r\n");
    }

    @Test
    void subscribersOfResp3MayDoEverything() {
        subscriber.run("HELLO", "3");
        assertThat(subscriber.run("SUBSCRIBE", "a")).isEqualTo(">3\r\n$9\r\nsubscribe\r\n$1\r\na\r\n:1\r\n");
        assertThat(subscriber.run("PING")).isEqualTo("+PONG\r\n");
        assertThat(subscriber.run("PUBLISH", "a", "x"))
                .isEqualTo(":1\r\n>3\r\n$7\r\nmessage\r\n$1\r\na\r\n$1\r\nx\r\n");
        server.run("PUBLISH", "a", "before");
        assertThat(subscriber.run("GET", "k")).isEqualTo(">3\r\n$7\r\nmessage\r\n$1\r\na\r\n$6\r\nbefore\r\n_\r\n");
    }

    @Test
    void messagesPassThroughClientReplyOff() {
        subscriber.run("HELLO", "3");
        subscriber.run("CLIENT", "REPLY", "OFF");
        assertThat(subscriber.run("SUBSCRIBE", "a")).isEqualTo(">3\r\n$9\r\nsubscribe\r\n$1\r\na\r\n:1\r\n");
        server.run("PUBLISH", "a", "x");
        assertThat(subscriber.run("PING")).isEqualTo(">3\r\n$7\r\nmessage\r\n$1\r\na\r\n$1\r\nx\r\n");
    }

    @Test
    void insideTransactionsAcknowledgementsArePartOfTheReply() {
        subscriber.run("MULTI");
        subscriber.run("SUBSCRIBE", "a");
        subscriber.run("PING");
        subscriber.run("SSUBSCRIBE", "a");
        assertThat(subscriber.run("EXEC"))
                .isEqualTo("*3\r\n" + ack("subscribe", "a", 1) + "*2\r\n$4\r\npong\r\n$0\r\n\r\n"
                        + "-ERR SSUBSCRIBE isn't allowed for a DENY BLOCKING client\r\n");
        assertThat(server.run("PUBLISH", "a", "x")).isEqualTo(":1\r\n");
    }

    @Test
    void messagesOfATransactionComeAfterItsReply() {
        subscriber.run("HELLO", "3");
        subscriber.run("SUBSCRIBE", "a");
        subscriber.run("MULTI");
        subscriber.run("PUBLISH", "a", "x");
        subscriber.run("PING");
        assertThat(subscriber.run("EXEC"))
                .isEqualTo("*2\r\n:1\r\n+PONG\r\n>3\r\n$7\r\nmessage\r\n$1\r\na\r\n$1\r\nx\r\n");
    }

    @Test
    void resetAndTheEndUnsubscribe() {
        subscriber.run("SUBSCRIBE", "a");
        subscriber.run("PSUBSCRIBE", "*");
        subscriber.run("SSUBSCRIBE", "a");
        assertThat(subscriber.run("RESET")).isEqualTo("+RESET\r\n");
        assertThat(server.run("PUBLISH", "a", "x")).isEqualTo(":0\r\n");
        assertThat(subscriber.messages()).isEmpty();

        subscriber.run("SUBSCRIBE", "a");
        subscriber.session().close();
        assertThat(server.run("PUBLISH", "a", "x")).isEqualTo(":0\r\n");
        assertThat(server.run("PUBSUB", "CHANNELS")).isEqualTo("*0\r\n");
    }

    @Test
    void pubSubTellsWhoListens() {
        Client second = server.connect();
        subscriber.run("SUBSCRIBE", "a", "b");
        second.run("SUBSCRIBE", "a");
        second.run("PSUBSCRIBE", "x*", "y*");
        second.run("SSUBSCRIBE", "s");
        assertThat(server.run("PUBSUB", "NUMSUB", "a", "b", "c"))
                .isEqualTo("*6\r\n$1\r\na\r\n:2\r\n$1\r\nb\r\n:1\r\n$1\r\nc\r\n:0\r\n");
        assertThat(server.run("PUBSUB", "CHANNELS", "[b-z]")).isEqualTo("*1\r\n$1\r\nb\r\n");
        assertThat(server.run("PUBSUB", "NUMPAT")).isEqualTo(":2\r\n");
        assertThat(server.run("PUBSUB", "SHARDCHANNELS")).isEqualTo("*1\r\n$1\r\ns\r\n");
        assertThat(server.run("PUBSUB", "SHARDNUMSUB", "s", "a")).isEqualTo("*4\r\n$1\r\ns\r\n:1\r\n$1\r\na\r\n:0\r\n");
        assertThat(server.run("INFO", "stats"))
                .contains("pubsub_channels:2\r\n", "pubsub_patterns:2\r\n", "pubsubshard_channels:1\r\n");
        assertThat(server.run("CLIENT", "LIST", "TYPE", "PUBSUB"))
                .contains("flags=P db=0 sub=2 psub=0 ssub=0 ", "flags=P db=0 sub=1 psub=2 ssub=1 ");
    }

    @Test
    void clientKillFindsSubscribers() {
        subscriber.run("SUBSCRIBE", "a");
        assertThat(server.run("CLIENT", "KILL", "TYPE", "pubsub")).isEqualTo(":1\r\n");
        assertThat(subscriber.session().closing()).isTrue();
    }

    @Test
    void aSubscriberThatDoesNotReadIsDropped() {
        server.run("CONFIG", "SET", "client-output-buffer-limit", "pubsub 1000 0 0");
        subscriber.run("SUBSCRIBE", "a");
        for (int i = 0; i < 5; i++) {
            server.run("PUBLISH", "a", "x".repeat(100));
        }
        assertThat(subscriber.session().closing()).isFalse();
        assertThat(subscriber.session().outbox().count()).isEqualTo(5);
        for (int i = 0; i < 5; i++) {
            server.run("PUBLISH", "a", "x".repeat(100));
        }
        assertThat(subscriber.session().closing()).isTrue();
        assertThat(subscriber.session().outbox().bytes()).isZero();
        assertThat(server.run("INFO", "stats")).contains("client_output_buffer_limit_disconnections:1\r\n");
    }

    @Test
    void theSoftLimitTakesItsTime() {
        server.run("CONFIG", "SET", "client-output-buffer-limit", "pubsub 0 1000 2");
        subscriber.run("SUBSCRIBE", "a");
        server.run("PUBLISH", "a", "x".repeat(2000));
        server.advance(1500);
        subscriber.session().outbox().check(0);
        assertThat(subscriber.messages()).isNotEmpty();
        subscriber.session().outbox().check(0);
        server.run("PUBLISH", "a", "x".repeat(2000));
        server.advance(1500);
        subscriber.session().outbox().check(0);
        assertThat(subscriber.session().closing())
                .as("it was below the limit meanwhile")
                .isFalse();
        server.advance(501);
        subscriber.session().outbox().check(0);
        assertThat(subscriber.session().closing()).isTrue();
    }
}
