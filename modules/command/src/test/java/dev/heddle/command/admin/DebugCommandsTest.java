package dev.heddle.command.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.command.catalog.CommandTester;
import dev.heddle.command.config.RedisConfFile;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DebugCommandsTest {

    private final CommandTester tester = new CommandTester();

    @BeforeEach
    void allow() {
        new RedisConfFile(tester.settings()).readOptions("enable-debug-command yes");
    }

    @Test
    void isRefusedUnlessAllowed() {
        assertThat(new CommandTester().run("DEBUG", "SLEEP", "0")).startsWith("-ERR DEBUG command not allowed.");
    }

    @Test
    void unknownSubcommands() {
        assertThat(tester.run("DEBUG")).isEqualTo("-ERR wrong number of arguments for 'debug' command\r\n");
        assertThat(tester.run("DEBUG", "FOO"))
                .isEqualTo("-ERR unknown subcommand or wrong number of arguments for 'FOO'. Try DEBUG HELP.\r\n");
        assertThat(tester.run("DEBUG", "sleep"))
                .isEqualTo("-ERR unknown subcommand or wrong number of arguments for 'sleep'. Try DEBUG HELP.\r\n");
        assertThat(tester.run("DEBUG", "HELP")).contains("+SLEEP <seconds>\r\n").endsWith("+    Print this help.\r\n");
    }

    @Test
    void errorsAndObjects() {
        assertThat(tester.run("DEBUG", "ERROR", "MY bad\r\nluck")).isEqualTo("-MY bad  luck\r\n");
        assertThat(tester.run("DEBUG", "OBJECT", "nokey")).isEqualTo("-ERR no such key\r\n");
        tester.run("SET", "k", "hello");
        assertThat(tester.run("DEBUG", "OBJECT", "k"))
                .matches("\\+Value at:0x[0-9a-f]+ refcount:1 encoding:embstr serializedlength:6 lru:\\d+"
                        + " lru_seconds_idle:0\r\n");
    }

    @Test
    void populateAddsWhatIsNotThere() {
        tester.run("SET", "key:1", "mine");
        assertThat(tester.run("DEBUG", "POPULATE", "3")).isEqualTo("+OK\r\n");
        assertThat(tester.run("MGET", "key:0", "key:1", "key:2", "key:3"))
                .isEqualTo("*4\r\n$7\r\nvalue:0\r\n$4\r\nmine\r\n$7\r\nvalue:2\r\n$-1\r\n");
        tester.run("DEBUG", "POPULATE", "1", "p", "9");
        assertThat(tester.run("GET", "p:0")).isEqualTo("$9\r\nvalue:0\0\0\r\n");
        assertThat(tester.run("DEBUG", "POPULATE", "-1")).isEqualTo("-ERR value is out of range, must be positive\r\n");
        assertThat(tester.effects()).containsExactly("SET key:1 mine");
    }

    @Test
    void protocolShowsEachType() {
        assertThat(tester.run("DEBUG", "PROTOCOL", "map")).isEqualTo("*6\r\n:0\r\n:0\r\n:1\r\n:1\r\n:2\r\n:0\r\n");
        assertThat(tester.run("DEBUG", "PROTOCOL", "push"))
                .isEqualTo("-ERR RESP2 is not supported by this command\r\n");
        assertThat(tester.run("DEBUG", "PROTOCOL", "x")).startsWith("-ERR Wrong protocol type name.");
        tester.run("HELLO", "3");
        assertThat(tester.run("DEBUG", "PROTOCOL", "map")).isEqualTo("%3\r\n:0\r\n#f\r\n:1\r\n#t\r\n:2\r\n#f\r\n");
        assertThat(tester.run("DEBUG", "PROTOCOL", "bignum")).isEqualTo("(1234567999999999999999999999999999999\r\n");
        assertThat(tester.run("DEBUG", "PROTOCOL", "double")).isEqualTo(",3.141\r\n");
        assertThat(tester.run("DEBUG", "PROTOCOL", "verbatim")).isEqualTo("=29\r\ntxt:This is a verbatim\nstring\r\n");
        assertThat(tester.run("DEBUG", "PROTOCOL", "attrib"))
                .isEqualTo(Wire.lines(
                        "|1",
                        "$14",
                        "key-popularity",
                        "*2",
                        "$7",
                        "key:123",
                        ":90",
                        "$39",
                        "Some real reply following the attribute"));
        assertThat(tester.run("DEBUG", "PROTOCOL", "push"))
                .isEqualTo(
                        ">2\r\n$16\r\nserver-cpu-usage\r\n:42\r\n$40\r\nSome real reply following the push reply\r\n");
    }

    @Test
    void activeExpiryCanBeStopped() {
        tester.run("SET", "k", "v", "PX", "100");
        tester.advance(200);
        assertThat(tester.run("DEBUG", "SET-ACTIVE-EXPIRE", "0")).isEqualTo("+OK\r\n");
        tester.expire();
        assertThat(tester.engine().store().size(0)).isEqualTo(1);
        tester.run("DEBUG", "SET-ACTIVE-EXPIRE", "1");
        tester.expire();
        assertThat(tester.engine().store().size(0)).isZero();
    }

    @Test
    void changeReplIdTakesAnother() {
        String before = tester.engine().serverInfo().replicationId();
        assertThat(tester.run("INFO", "replication")).contains("master_replid:" + before);
        tester.run("DEBUG", "CHANGE-REPL-ID");
        assertThat(tester.run("INFO", "replication")).doesNotContain(before);
    }

    @Test
    void switchesAreChecked() {
        assertThat(tester.run("DEBUG", "QUICKLIST-PACKED-THRESHOLD", "100b")).isEqualTo("+OK\r\n");
        assertThat(tester.run("DEBUG", "QUICKLIST-PACKED-THRESHOLD", "x"))
                .isEqualTo("-ERR argument must be a memory value bigger than 1 and smaller than 4gb\r\n");
        assertThat(tester.run("DEBUG", "REPLYBUFFER", "PEAK-RESET-TIME", "never"))
                .isEqualTo("+OK\r\n");
        assertThat(tester.run("DEBUG", "REPLYBUFFER", "PEAK-RESET-TIME", "x"))
                .isEqualTo("-ERR value is not an integer or out of range\r\n");
        assertThat(tester.run("DEBUG", "STRINGMATCH-LEN", "a*", "abc")).isEqualTo(":1\r\n");
        assertThat(tester.run("DEBUG", "STRINGMATCH-LEN", "b*", "abc")).isEqualTo(":0\r\n");
        assertThat(tester.run("DEBUG", "SLEEP", "nonsense")).isEqualTo("+OK\r\n");
    }
}
