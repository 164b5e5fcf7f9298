package dev.heddle.command.data;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.command.EventClass;
import dev.heddle.command.KeyObserver;
import dev.heddle.command.catalog.CommandTester;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Keys as such, through the table; the replies are those of redis-server 7.2. */
class KeyCommandsTest {

    private static final String SYNTAX = "-ERR syntax error\r\n";
    private static final String SAME = "-ERR source and destination objects are the same\r\n";
    private static final String NO_INT =
            "-ERR value is out of range, value must between -2147483648 and 2147483647\r\n";

    private final CommandTester tester = new CommandTester();

    private String run(String command) {
        return tester.run(command.split(" "));
    }

    private String runIn(int database, String command) {
        CommandTester.Client client = tester.connect();
        client.session().database(database);
        return client.run(command.split(" "));
    }

    private static String bulk(String text) {
        return "$" + text.length() + "\r\n" + text + "\r\n";
    }

    private void forget() {
        tester.effects();
        tester.events();
    }

    @Test
    void del() {
        run("MSET a 1 b 2");
        run("RPUSH l x");
        forget();
        assertThat(run("DEL a none l a")).isEqualTo(":2\r\n");
        assertThat(tester.effects()).containsExactly("DEL a none l a");
        assertThat(tester.events()).containsExactly("del a", "del l");
        assertThat(run("UNLINK a b")).isEqualTo(":1\r\n");
        assertThat(tester.effects()).containsExactly("UNLINK a b");
        assertThat(run("DEL a")).isEqualTo(":0\r\n");
        assertThat(tester.effects()).isEmpty();
        assertThat(run("DBSIZE")).isEqualTo(":0\r\n");
    }

    @Test
    void existsTypeAndTouch() {
        run("SET s v");
        run("RPUSH l x");
        run("HSET h f v");
        assertThat(run("EXISTS s s none l")).isEqualTo(":3\r\n");
        assertThat(run("TOUCH s s none l")).isEqualTo(":3\r\n");
        assertThat(run("TYPE s")).isEqualTo("+string\r\n");
        assertThat(run("TYPE l")).isEqualTo("+list\r\n");
        assertThat(run("TYPE h")).isEqualTo("+hash\r\n");
        assertThat(run("TYPE none")).isEqualTo("+none\r\n");
    }

    @Test
    void anExpiredKeyIsNotThere() {
        run("SET k v PX 10");
        tester.advance(9);
        assertThat(run("EXISTS k")).isEqualTo(":1\r\n");
        tester.advance(1);
        forget();
        assertThat(run("EXISTS k")).isEqualTo(":0\r\n");
        assertThat(tester.effects()).as("whoever meets it removes it").containsExactly("DEL k");
        assertThat(tester.events()).containsExactly("expired k");
        run("SET k v PX 10");
        tester.advance(10);
        forget();
        assertThat(run("DEL k")).isEqualTo(":0\r\n");
        assertThat(tester.events()).containsExactly("expired k");
        assertThat(run("TYPE k")).isEqualTo("+none\r\n");
        assertThat(run("RENAME k l")).isEqualTo("-ERR no such key\r\n");
    }

    @Test
    void rename() {
        run("SET a v EX 100");
        run("SET b w");
        forget();
        assertThat(run("RENAME a b")).isEqualTo("+OK\r\n");
        assertThat(tester.effects()).containsExactly("RENAME a b");
        assertThat(tester.events()).containsExactly("new b", "rename_from a", "rename_to b");
        assertThat(run("GET b")).isEqualTo(bulk("v"));
        assertThat(run("TTL b")).isEqualTo(":100\r\n");
        assertThat(run("EXISTS a")).isEqualTo(":0\r\n");
        assertThat(run("RENAME b b")).isEqualTo("+OK\r\n");
        assertThat(tester.effects()).isEmpty();
        assertThat(run("RENAME none b")).isEqualTo("-ERR no such key\r\n");
        assertThat(run("RENAME none none")).isEqualTo("-ERR no such key\r\n");
    }

    @Test
    void renameNx() {
        run("MSET a 1 b 2");
        forget();
        assertThat(run("RENAMENX a b")).isEqualTo(":0\r\n");
        assertThat(run("RENAMENX a a")).isEqualTo(":0\r\n");
        assertThat(tester.effects()).isEmpty();
        assertThat(run("RENAMENX a c")).isEqualTo(":1\r\n");
        assertThat(run("MGET a b c")).isEqualTo("*3\r\n$-1\r\n$1\r\n2\r\n$1\r\n1\r\n");
        assertThat(run("RENAMENX a c")).isEqualTo("-ERR no such key\r\n");
    }

    @Test
    void copy() {
        run("SET a v EX 100");
        run("SET b w");
        forget();
        assertThat(run("COPY a b")).isEqualTo(":0\r\n");
        assertThat(tester.effects()).isEmpty();
        assertThat(run("COPY a b REPLACE")).isEqualTo(":1\r\n");
        assertThat(tester.effects()).containsExactly("COPY a b REPLACE");
        assertThat(tester.events()).containsExactly("new b", "copy_to b");
        assertThat(run("GET b")).isEqualTo(bulk("v"));
        assertThat(run("TTL b")).isEqualTo(":100\r\n");
        assertThat(run("COPY none b")).isEqualTo(":0\r\n");
        assertThat(run("COPY a a")).isEqualTo(SAME);
        assertThat(run("COPY a a DB 0")).isEqualTo(SAME);
        assertThat(run("COPY a a db 3")).isEqualTo(":1\r\n");
        assertThat(runIn(3, "GET a")).isEqualTo(bulk("v"));
        assertThat(run("COPY a b DB 16")).isEqualTo("-ERR DB index is out of range\r\n");
        assertThat(run("COPY a b DB 99999999999")).isEqualTo(NO_INT);
        assertThat(run("COPY a b DB x")).isEqualTo("-ERR value is not an integer or out of range\r\n");
        assertThat(run("COPY a b DB")).isEqualTo(SYNTAX);
        assertThat(run("COPY a b WHAT")).isEqualTo(SYNTAX);
    }

    @Test
    void copiesShareNothing() {
        run("RPUSH l a b");
        run("HSET h f v");
        run("SADD s a b c");
        run("ZADD z 1 a");
        run("SETRANGE g 0 abc");
        for (String key : new String[] {"l", "h", "s", "z", "g"}) {
            assertThat(run("COPY " + key + " " + key + "2")).isEqualTo(":1\r\n");
        }
        run("RPUSH l2 c");
        run("HSET h2 f w");
        run("SREM s2 a");
        run("ZADD z2 5 a");
        run("SETRANGE g2 0 x");
        assertThat(run("LLEN l")).isEqualTo(":2\r\n");
        assertThat(run("HGET h f")).isEqualTo(bulk("v"));
        assertThat(run("SCARD s")).isEqualTo(":3\r\n");
        assertThat(run("ZSCORE z a")).isEqualTo(bulk("1"));
        assertThat(run("GET g")).isEqualTo(bulk("abc"));
    }

    @Test
    void move() {
        run("SET k v EX 100");
        runIn(2, "SET k w");
        forget();
        assertThat(run("MOVE k 2")).isEqualTo(":0\r\n");
        assertThat(tester.effects()).isEmpty();
        assertThat(run("MOVE k 1")).isEqualTo(":1\r\n");
        assertThat(tester.effects()).containsExactly("MOVE k 1");
        assertThat(tester.events()).containsExactly("new k", "move_from k", "move_to k");
        assertThat(run("EXISTS k")).isEqualTo(":0\r\n");
        assertThat(runIn(1, "GET k")).isEqualTo(bulk("v"));
        assertThat(runIn(1, "TTL k")).isEqualTo(":100\r\n");
        assertThat(run("MOVE k 1")).isEqualTo(":0\r\n");
        assertThat(run("MOVE k 0")).isEqualTo(SAME);
        assertThat(run("MOVE k 16")).isEqualTo("-ERR DB index is out of range\r\n");
        assertThat(run("MOVE k -1")).isEqualTo("-ERR DB index is out of range\r\n");
        assertThat(run("MOVE k 2147483648")).isEqualTo(NO_INT);
        assertThat(run("MOVE k x")).isEqualTo("-ERR value is not an integer or out of range\r\n");
    }

    @Test
    void moveTellsOfBothDatabases() {
        run("SET k v");
        List<String> told = new ArrayList<>();
        tester.engine().keyspace().addObserver(new KeyObserver() {
            @Override
            public void keyChanged(int database, byte[] key, EventClass eventClass, String event) {
                told.add(database + " " + event);
            }

            @Override
            public void databaseChanged(int database) {
                told.add(database + " database");
            }

            @Override
            public void keyMissed(int database, byte[] key) {
                told.add(database + " missed " + new String(key, StandardCharsets.US_ASCII));
            }
        });
        run("MOVE k 5");
        run("GET k");
        run("OBJECT ENCODING k");
        assertThat(told).containsExactly("5 new", "0 move_from", "5 move_to", "0 missed k");
    }
}
