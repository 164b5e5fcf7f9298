package dev.heddle.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Changes of keys are published: what, where, and how soon. */
class KeyEventsIT {

    /** The housekeeper comes by ten times a second; the rest is for a machine that does other things, too. */
    private static final long LATEST_MILLIS = 400;

    private static RunningServer heddle;

    @BeforeAll
    static void start() {
        heddle = HeddleServer.start("--notify-keyspace-events", "KEA");
    }

    @AfterAll
    static void stop() {
        heddle.close();
    }

    private static List<String> events(RawClient subscriber, int count) {
        List<String> events = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            List<String> message = subscriber.read().texts();
            events.add(message.get(2) + " " + message.get(3));
        }
        return events;
    }

    @Test
    void theFileOrCommandLineTurnsThemOn() {
        try (RawClient client = heddle.connect()) {
            assertThat(client.call("CONFIG", "GET", "notify-keyspace-events").texts())
                    .containsExactly("notify-keyspace-events", "AKE");
        }
    }

    @Test
    void changesArePublishedUnderTheKeyAndUnderTheEvent() {
        try (RawClient subscriber = heddle.connect();
                RawClient client = heddle.connect()) {
            client.call("DEL", "l");
            subscriber.call("PSUBSCRIBE", "__key*@0__:*");
            client.call("RPUSH", "l", "x");
            client.call("RENAME", "l", "m");
            client.call("LPOP", "m");
            assertThat(events(subscriber, 10))
                    .containsExactly(
                            "__keyspace@0__:l rpush",
                            "__keyevent@0__:rpush l",
                            "__keyspace@0__:l rename_from",
                            "__keyevent@0__:rename_from l",
                            "__keyspace@0__:m rename_to",
                            "__keyevent@0__:rename_to m",
                            "__keyspace@0__:m lpop",
                            "__keyevent@0__:lpop m",
                            "__keyspace@0__:m del",
                            "__keyevent@0__:del m");
        }
    }

    /** What session stores rely on: the event comes by itself, and soon. */
    @Test
    void expiryIsPublishedSoonWithoutAnyAccess() {
        try (RawClient subscriber = heddle.connect();
                RawClient client = heddle.connect()) {
            subscriber.call("PSUBSCRIBE", "__keyevent@*__:expired");
            long latest = 0;
            for (int i = 0; i < 20; i++) {
                long deadline = System.currentTimeMillis() + 30 + 7 * i;
                client.call("SELECT", Integer.toString(i % 16));
                client.call("SET", "k" + i, "v", "PXAT", Long.toString(deadline));
                assertThat(events(subscriber, 1)).containsExactly("__keyevent@" + i % 16 + "__:expired k" + i);
                latest = Math.max(latest, System.currentTimeMillis() - deadline);
            }
            System.out.printf("KeyEventsIT: the latest of 20 expired events came %d ms after its time%n", latest);
            assertThat(latest).isLessThan(LATEST_MILLIS);
        }
    }

    @Test
    void eventsOfOneKeyKeepTheOrderOfItsChanges() {
        try (RawClient subscriber = heddle.connect();
                RawClient client = heddle.connect();
                RawClient other = heddle.connect()) {
            client.call("DEL", "turns");
            subscriber.call("SUBSCRIBE", "__keyspace@0__:turns");
            int rounds = 500;
            for (int i = 0; i < rounds; i++) {
                client.send("RPUSH", "turns", "x");
                other.send("LPOP", "turns");
                client.flush();
                other.flush();
            }
            // A list is deleted exactly when its last element is popped: any other order would not add up.
            int length = 0;
            int pushed = 0;
            while (pushed < rounds) {
                switch (subscriber.read().texts().get(2)) {
                    case "rpush" -> {
                        length++;
                        pushed++;
                    }
                    case "lpop" -> {
                        length--;
                        assertThat(length).isNotNegative();
                    }
                    case "del" -> assertThat(length).isZero();
                    default -> throw new AssertionError("an event that nobody has caused");
                }
            }
        }
    }
}
