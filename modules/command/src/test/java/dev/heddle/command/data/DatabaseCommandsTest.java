package dev.heddle.command.data;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.command.catalog.CommandTester;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Whole databases, through the table; the replies are those of redis-server 7.2. */
class DatabaseCommandsTest {

    private static final String OK = "+OK\r\n";
    private static final String NIL = "$-1\r\n";

    private final CommandTester tester = new CommandTester();

    private String run(String command) {
        return tester.run(command.split(" "));
    }

    private CommandTester.Client in(int database) {
        CommandTester.Client client = tester.connect();
        client.session().database(database);
        return client;
    }

    private void forget() {
        tester.effects();
        tester.events();
    }

    @Test
    void dbSize() {
        assertThat(run("DBSIZE")).isEqualTo(":0\r\n");
        for (int i = 0; i < 100; i++) {
            run("SET k" + i + " v");
        }
        in(1).run("SET", "k", "v");
        assertThat(run("DBSIZE")).isEqualTo(":100\r\n");
        assertThat(in(1).run("DBSIZE")).isEqualTo(":1\r\n");
    }

    @Test
    void randomKeyOfThoseThatAreThere() {
        assertThat(run("RANDOMKEY")).isEqualTo(NIL);
        run("MSET a 1 b 2 c 3");
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < 200; i++) {
            seen.add(run("RANDOMKEY"));
        }
        assertThat(seen).containsExactlyInAnyOrder("$1\r\na\r\n", "$1\r\nb\r\n", "$1\r\nc\r\n");
    }

    @Test
    void randomKeyIsNeverAnExpiredOne() {
        for (int i = 0; i < 1000; i++) {
            run("SET k" + i + " v PX 1");
        }
        run("SET alive v");
        tester.advance(1);
        forget();
        assertThat(run("RANDOMKEY")).isEqualTo("$5\r\nalive\r\n");
        assertThat(tester.effects()).as("those met on the way are gone").isNotEmpty();
        run("DEL alive");
        assertThat(run("RANDOMKEY")).isEqualTo(NIL);
    }

    @Test
    void flushDb() {
        run("MSET a 1 b 2");
        in(1).run("SET", "c", "3");
        forget();
        assertThat(run("FLUSHDB")).isEqualTo(OK);
        assertThat(tester.effects()).containsExactly("FLUSHDB");
        assertThat(tester.events()).containsExactly("database 0");
        assertThat(run("EXISTS a b")).isEqualTo(":0\r\n");
        assertThat(in(1).run("EXISTS", "c")).isEqualTo(":1\r\n");
        assertThat(run("FLUSHDB async")).isEqualTo(OK);
        assertThat(tester.effects()).as("even if there is nothing").containsExactly("FLUSHDB async");
        assertThat(run("SET a 1")).isEqualTo(OK);
    }

    @Test
    void flushAll() {
        run("MSET a 1 b 2");
        in(15).run("SET", "c", "3");
        tester.engine().stats().reset();
        long before = tester.engine().stats().changes();
        forget();
        assertThat(run("FLUSHALL SYNC")).isEqualTo(OK);
        assertThat(tester.effects()).containsExactly("FLUSHALL SYNC");
        assertThat(tester.events()).hasSize(16).contains("database 0", "database 15");
        assertThat(tester.engine().stats().changes() - before).isEqualTo(3);
        assertThat(in(15).run("DBSIZE")).isEqualTo(":0\r\n");
        assertThat(run("FLUSHALL")).isEqualTo(OK);
        assertThat(tester.effects()).containsExactly("FLUSHALL");
        assertThat(run("FLUSHALL WHAT")).isEqualTo("-ERR syntax error\r\n");
        assertThat(run("FLUSHDB SYNC ASYNC")).isEqualTo("-ERR syntax error\r\n");
    }

    @Test
    void whatWasFlushedDoesNotExpireLater() {
        run("SET k v PX 10");
        run("FLUSHALL");
        run("SET k w");
        tester.advance(10);
        tester.expire();
        assertThat(run("GET k")).isEqualTo("$1\r\nw\r\n");
    }

    @Test
    void swapDb() {
        run("SET a 1 PX 10");
        in(3).run("SET", "b", "2");
        forget();
        assertThat(run("SWAPDB 0 3")).isEqualTo(OK);
        assertThat(tester.effects()).containsExactly("SWAPDB 0 3");
        assertThat(tester.events()).containsExactly("database 0", "database 3");
        assertThat(run("KEYS *")).isEqualTo("*1\r\n$1\r\nb\r\n");
        assertThat(in(3).run("GET", "a")).isEqualTo("$1\r\n1\r\n");
        tester.advance(10);
        tester.expire();
        assertThat(in(3).run("DBSIZE")).isEqualTo(":0\r\n");
        assertThat(run("SWAPDB 2 2")).isEqualTo(OK);
    }

    @Test
    void databasesThatAreNone() {
        assertThat(run("SWAPDB x 1")).isEqualTo("-ERR invalid first DB index\r\n");
        assertThat(run("SWAPDB 1 99999999999")).isEqualTo("-ERR invalid second DB index\r\n");
        assertThat(run("SWAPDB -1 1")).isEqualTo("-ERR DB index is out of range\r\n");
        assertThat(run("SWAPDB 1 16")).isEqualTo("-ERR DB index is out of range\r\n");
        assertThat(tester.effects()).isEmpty();
    }
}
