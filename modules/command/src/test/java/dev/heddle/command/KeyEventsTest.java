package dev.heddle.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.command.catalog.CommandTester;
import dev.heddle.command.catalog.CommandTester.Client;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class KeyEventsTest {

    private static final Pattern MESSAGE =
            Pattern.compile("pmessage\r\n\\$1\r\n\\*\r\n\\$\\d+\r\n__(key[a-z]+@\\d+)__:(.*?)\r\n\\$\\d+\r\n(.*?)\r\n");

    private final CommandTester server = new CommandTester();
    private final Client subscriber = server.connect();

    KeyEventsTest() {
        subscriber.run("PSUBSCRIBE", "*");
    }

    /** {@code keyevent@0 del k} */
    private List<String> events() {
        List<String> events = new ArrayList<>();
        Matcher matcher = MESSAGE.matcher(subscriber.messages());
        while (matcher.find()) {
            events.add(matcher.group(1) + " " + matcher.group(2) + " " + matcher.group(3));
        }
        return events;
    }

    private void want(String classes) {
        assertThat(server.run("CONFIG", "SET", "notify-keyspace-events", classes))
                .isEqualTo("+OK\r\n");
    }

    @Test
    void nothingIsPublishedUnlessItIsWanted() {
        server.run("SET", "k", "v");
        want("A");
        server.run("SET", "k", "v");
        want("KE");
        server.run("SET", "k", "v");
        assertThat(events()).isEmpty();
    }

    @Test
    void bothKindsOfChannelsAreServed() {
        want("KEA");
        server.run("SET", "k", "v");
        assertThat(events()).containsExactly("keyspace@0 k set", "keyevent@0 set k");
        want("EA");
        server.run("SELECT", "5");
        server.run("SET", "k", "v", "EX", "100");
        assertThat(events()).containsExactly("keyevent@5 set k", "keyevent@5 expire k");
        want("K$");
        server.run("DEL", "k");
        server.run("APPEND", "k", "v");
        assertThat(events()).containsExactly("keyspace@5 k append");
    }

    @Test
    void newKeysAndMissesAreTold() {
        want("Emn");
        server.run("GET", "nosuch");
        server.run("SET", "k", "v");
        server.run("SET", "k", "w");
        server.run("GET", "k");
        server.run("EXISTS", "nosuch");
        assertThat(events())
                .containsExactly("keyevent@0 keymiss nosuch", "keyevent@0 new k", "keyevent@0 keymiss nosuch");
    }

    @Test
    void expiryIsToldWithoutAnyAccess() {
        want("Ex");
        server.run("SET", "k", "v", "PX", "30");
        server.advance(31);
        server.expire();
        assertThat(events()).containsExactly("keyevent@0 expired k");
    }

    @Test
    void whatIsOverwrittenOrMovedIsToldAsRedisDoes() {
        server.run("MSET", "a", "1", "b", "2");
        server.run("RPUSH", "l", "x");
        want("EA");
        server.run("RENAME", "a", "b");
        server.run("LPOP", "l");
        server.run("SADD", "s", "m");
        server.run("SMOVE", "s", "t", "m");
        assertThat(events())
                .containsExactly(
                        "keyevent@0 rename_from a",
                        "keyevent@0 rename_to b",
                        "keyevent@0 lpop l",
                        "keyevent@0 del l",
                        "keyevent@0 sadd s",
                        "keyevent@0 srem s",
                        "keyevent@0 del s",
                        "keyevent@0 sadd t");
    }

    @Test
    void eventsOfATransactionComeAfterItsReply() {
        want("E$");
        subscriber.run("RESET");
        subscriber.run("HELLO", "3");
        subscriber.run("SUBSCRIBE", "__keyevent@0__:set");
        subscriber.run("MULTI");
        subscriber.run("SET", "k", "v");
        subscriber.run("PING");
        assertThat(subscriber.run("EXEC"))
                .isEqualTo("*2\r\n+OK\r\n+PONG\r\n>3\r\n$7\r\nmessage\r\n$18\r\n__keyevent@0__:set\r\n$1\r\nk\r\n");
    }

    @Test
    void nobodyObservesWhileNothingIsWanted() {
        server.stopObserving();
        assertThat(server.engine().keyspace().isObserved()).isFalse();
        want("KEA");
        assertThat(server.engine().keyspace().isObserved()).isTrue();
        want("");
        assertThat(server.engine().keyspace().isObserved()).isFalse();
    }
}
