package dev.heddle.command.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.command.catalog.CommandTester;
import dev.heddle.command.catalog.CommandTester.Client;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TrackingCommandsTest {

    private static final String OK = "+OK\r\n";

    private final CommandTester server = new CommandTester();
    private final Client cache = server.connect();

    TrackingCommandsTest() {
        server.run("MSET", "a", "1", "b", "2", "c", "3");
        cache.run("HELLO", "3");
    }

    private static String invalidate(String... keys) {
        return ">2\r\n$10\r\ninvalidate\r\n" + array(keys);
    }

    private static String array(String... keys) {
        StringBuilder text = new StringBuilder("*" + keys.length + "\r\n");
        for (String key : keys) {
            text.append('$').append(key.length()).append("\r\n").append(key).append("\r\n");
        }
        return text.toString();
    }

    @Test
    void aKeyThatWasReadIsToldOfOnce() {
        cache.run("CLIENT", "TRACKING", "ON");
        cache.run("GET", "a");
        cache.run("MGET", "b", "nosuch");
        server.run("SET", "c", "x");
        assertThat(cache.messages()).isEmpty();
        server.run("SET", "a", "x");
        server.run("SET", "a", "y");
        server.run("SET", "nosuch", "x");
        assertThat(cache.messages()).isEqualTo(invalidate("a") + invalidate("nosuch"));
        cache.run("GET", "a");
        server.run("DEL", "a");
        assertThat(cache.messages()).isEqualTo(invalidate("a"));
    }

    @Test
    void onlyReadersAreRemembered() {
        cache.run("CLIENT", "TRACKING", "ON");
        cache.run("GETEX", "b", "EX", "100");
        cache.run("INCR", "a");
        server.run("INCR", "a");
        server.run("INCR", "b");
        assertThat(cache.messages()).isEmpty();
        assertThat(server.run("INFO", "stats")).contains("tracking_total_keys:0\r\n");
    }

    @Test
    void theOwnChangeIsToldAfterTheReply() {
        cache.run("CLIENT", "TRACKING", "ON");
        cache.run("GET", "a");
        assertThat(cache.run("INCR", "a")).isEqualTo(":2\r\n" + invalidate("a"));
        cache.run("GET", "a");
        cache.run("MULTI");
        cache.run("INCR", "a");
        cache.run("GET", "b");
        assertThat(cache.run("EXEC")).isEqualTo("*2\r\n:3\r\n$1\r\n2\r\n" + invalidate("a"));
        server.run("SET", "b", "x");
        assertThat(cache.messages()).as("read in a transaction").isEqualTo(invalidate("b"));
    }

    @Test
    void noLoopSparesTheOwnChanges() {
        cache.run("CLIENT", "TRACKING", "ON", "NOLOOP");
        cache.run("MGET", "a", "b");
        assertThat(cache.run("INCR", "a")).isEqualTo(":2\r\n");
        server.run("INCR", "a");
        assertThat(cache.messages()).as("the key has been forgotten").isEmpty();
        server.run("INCR", "b");
        assertThat(cache.messages()).isEqualTo(invalidate("b"));
    }

    @Test
    void expiryIsToldOf() {
        server.run("PEXPIRE", "a", "100");
        cache.run("CLIENT", "TRACKING", "ON");
        cache.run("GET", "a");
        server.advance(101);
        server.expire();
        assertThat(cache.messages()).isEqualTo(invalidate("a"));
    }

    @Test
    void flushTellsToForgetEverything() {
        cache.run("CLIENT", "TRACKING", "ON");
        cache.run("GET", "a");
        assertThat(cache.run("FLUSHDB")).isEqualTo("+OK\r\n>2\r\n$10\r\ninvalidate\r\n_\r\n");
        server.run("FLUSHALL");
        assertThat(cache.messages()).isEqualTo(">2\r\n$10\r\ninvalidate\r\n_\r\n");
        server.run("SWAPDB", "0", "1");
        assertThat(cache.messages()).isEmpty();
        assertThat(server.run("INFO", "stats")).contains("tracking_total_keys:0\r\n", "tracking_total_items:0\r\n");
    }

    @Test
    void optInNeedsCachingYes() {
        cache.run("CLIENT", "TRACKING", "ON", "OPTIN");
        cache.run("GET", "a");
        assertThat(cache.run("CLIENT", "CACHING", "YES")).isEqualTo(OK);
        cache.run("GET", "b");
        cache.run("GET", "c");
        server.run("MSET", "a", "x", "b", "x", "c", "x");
        assertThat(cache.messages()).isEqualTo(invalidate("b"));
        cache.run("CLIENT", "CACHING", "YES");
        cache.run("MULTI");
        cache.run("GET", "a");
        cache.run("GET", "b");
        cache.run("EXEC");
        cache.run("GET", "c");
        server.run("MSET", "a", "x", "b", "x", "c", "x");
        assertThat(cache.messages()).isEqualTo(invalidate("a") + invalidate("b"));
    }

    @Test
    void optOutHeedsCachingNo() {
        cache.run("CLIENT", "TRACKING", "ON", "OPTOUT");
        cache.run("GET", "a");
        cache.run("CLIENT", "CACHING", "NO");
        cache.run("GET", "b");
        server.run("MSET", "a", "x", "b", "x");
        assertThat(cache.messages()).isEqualTo(invalidate("a"));
    }

    @Test
    void broadcastsAreCollectedByPrefix() {
        cache.run("CLIENT", "TRACKING", "ON", "BCAST", "PREFIX", "user:", "PREFIX", "item:");
        server.run("MULTI");
        server.run("SET", "user:1", "x");
        server.run("SET", "item:1", "x");
        server.run("SET", "user:2", "x");
        server.run("INCR", "other");
        server.run("EXPIRE", "user:1", "100");
        server.run("EXEC");
        assertThat(cache.messages()).isEqualTo(invalidate("item:1") + invalidate("user:1", "user:2"));
        assertThat(cache.run("SET", "user:3", "x")).isEqualTo(OK + invalidate("user:3"));
        assertThat(server.run("INFO", "stats")).contains("tracking_total_prefixes:2\r\n");
        cache.run("CLIENT", "TRACKING", "OFF");
        assertThat(server.run("INFO", "stats")).contains("tracking_total_prefixes:0\r\n");
        server.run("SET", "user:3", "x");
        assertThat(cache.messages()).isEmpty();
    }

    @Test
    void broadcastsHeedNoLoopButTellOfExpiry() {
        cache.run("CLIENT", "TRACKING", "ON", "BCAST", "NOLOOP");
        cache.run("SET", "mine", "x", "PX", "100");
        server.run("SET", "theirs", "x");
        assertThat(cache.messages()).isEqualTo(invalidate("theirs"));
        server.advance(101);
        server.expire();
        assertThat(cache.messages()).isEqualTo(invalidate("mine"));
    }

    @Test
    void messagesCanGoToAnotherConnection() {
        Client other = server.connect();
        String id = Long.toString(other.session().id());
        other.run("SUBSCRIBE", "__redis__:invalidate");
        Client plain = server.connect();
        assertThat(plain.run("CLIENT", "TRACKING", "ON", "REDIRECT", id)).isEqualTo(OK);
        assertThat(plain.run("CLIENT", "GETREDIR")).isEqualTo(":" + id + "\r\n");
        plain.run("GET", "a");
        server.run("SET", "a", "x");
        assertThat(plain.messages()).isEmpty();
        assertThat(other.messages()).isEqualTo("*3\r\n$7\r\nmessage\r\n$20\r\n__redis__:invalidate\r\n" + array("a"));
        server.run("FLUSHALL");
        assertThat(other.messages()).isEqualTo("*3\r\n$7\r\nmessage\r\n$20\r\n__redis__:invalidate\r\n$-1\r\n");
        assertThat(server.run("CLIENT", "LIST")).contains("flags=t ", "redir=" + id);
    }

    @Test
    void aBrokenRedirectIsToldOf() {
        Client other = server.connect();
        String id = Long.toString(other.session().id());
        cache.run("CLIENT", "TRACKING", "ON", "REDIRECT", id);
        cache.run("GET", "a");
        other.session().close();
        server.run("SET", "a", "x");
        assertThat(cache.messages()).isEqualTo(">2\r\n$21\r\ntracking-redir-broken\r\n:" + id + "\r\n");
        assertThat(cache.run("CLIENT", "TRACKINGINFO"))
                .isEqualTo("%3\r\n$5\r\nflags\r\n~2\r\n$2\r\non\r\n$15\r\nbroken_redirect\r\n$8\r\nredirect\r\n:" + id
                        + "\r\n$8\r\nprefixes\r\n*0\r\n");
        assertThat(server.run("CLIENT", "LIST")).contains("flags=tR ");
    }

    @Test
    void theTableIsBounded() {
        cache.run("CLIENT", "TRACKING", "ON");
        for (int i = 0; i < 50; i++) {
            cache.run("GET", "key" + i);
        }
        assertThat(server.run("INFO", "stats")).contains("tracking_total_keys:50\r\n", "tracking_total_items:50\r\n");
        server.run("CONFIG", "SET", "tracking-table-max-keys", "10");
        assertThat(cache.messages().split("invalidate")).hasSize(41);
        assertThat(server.run("INFO", "stats")).contains("tracking_total_keys:10\r\n", "tracking_total_items:10\r\n");
        assertThat(cache.run("GET", "further")).startsWith("_\r\n>2\r\n");
        assertThat(server.run("INFO", "stats")).contains("tracking_total_keys:10\r\n");
    }

    @Test
    void resetEndsIt() {
        cache.run("CLIENT", "TRACKING", "ON", "BCAST");
        assertThat(server.run("INFO", "clients")).contains("tracking_clients:1\r\n");
        cache.run("RESET");
        assertThat(server.run("INFO", "clients")).contains("tracking_clients:0\r\n");
        assertThat(cache.run("CLIENT", "GETREDIR")).isEqualTo(":-1\r\n");
        server.run("SET", "a", "x");
        assertThat(cache.messages()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            MAYBE                                | ERR syntax error
            ON NOSUCH                            | ERR syntax error
            ON REDIRECT                          | ERR syntax error
            ON REDIRECT x                        | ERR value is not an integer or out of range
            ON REDIRECT 999                      | ERR The client ID you want redirect to does not exist
            ON REDIRECT 1 REDIRECT 1             | ERR A client can only redirect to a single other client
            ON PREFIX a                          | ERR PREFIX option requires BCAST mode to be enabled
            ON BCAST OPTIN                       | ERR OPTIN and OPTOUT are not compatible with BCAST
            ON OPTIN OPTOUT                      | ERR You can't specify both OPTIN mode and OPTOUT mode
            ON BCAST PREFIX ab PREFIX a          | ERR Prefix 'ab' overlaps with another provided prefix 'a'. Prefixes for a single client must not overlap.
            """)
    void wrongOptionsAreRefused(String options, String error) {
        assertThat(cache.run(("CLIENT TRACKING " + options).split(" "))).isEqualTo("-" + error + "\r\n");
    }

    @Test
    void modesAreNotSwitchedWhileItIsOn() {
        cache.run("CLIENT", "TRACKING", "ON", "OPTIN");
        assertThat(cache.run("CLIENT", "TRACKING", "ON", "OPTOUT"))
                .startsWith("-ERR You can't switch OPTIN/OPTOUT mode");
        assertThat(cache.run("CLIENT", "TRACKING", "ON", "BCAST"))
                .startsWith("-ERR You can't switch BCAST mode on/off");
        assertThat(cache.run("CLIENT", "CACHING", "NO"))
                .isEqualTo("-ERR CLIENT CACHING NO is only valid when tracking is enabled in OPTOUT mode.\r\n");
        assertThat(cache.run("CLIENT", "CACHING", "MAYBE")).isEqualTo("-ERR syntax error\r\n");
    }
}
