package dev.heddle.command.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.command.catalog.CommandTester;
import dev.heddle.command.catalog.CommandTester.Client;
import org.junit.jupiter.api.Test;

class ClientCommandsTest {

    private static final String SYNTAX = "-ERR syntax error\r\n";

    private final CommandTester tester = new CommandTester();
    private final Client other = tester.connect();

    private static String id(Client client) {
        return Long.toString(client.session().id());
    }

    @Test
    void idNameAndLibrary() {
        assertThat(tester.run("CLIENT", "ID")).isEqualTo(":" + id(tester.client()) + "\r\n");
        assertThat(tester.run("CLIENT", "GETNAME")).isEqualTo("$-1\r\n");
        assertThat(tester.run("CLIENT", "SETNAME", "me")).isEqualTo("+OK\r\n");
        assertThat(tester.run("CLIENT", "GETNAME")).isEqualTo("$2\r\nme\r\n");
        assertThat(tester.run("CLIENT", "SETNAME", "a\nb"))
                .isEqualTo("-ERR Client names cannot contain spaces, newlines or special characters.\r\n");
        assertThat(tester.run("CLIENT", "SETNAME", "")).isEqualTo("+OK\r\n");
        assertThat(tester.run("CLIENT", "GETNAME")).isEqualTo("$-1\r\n");
        assertThat(tester.run("CLIENT", "SETINFO", "lib-name", "x(y)")).isEqualTo("+OK\r\n");
        assertThat(tester.run("CLIENT", "SETINFO", "LIB-VER", "1 0"))
                .isEqualTo("-ERR LIB-VER cannot contain spaces, newlines or special characters.\r\n");
        assertThat(tester.run("CLIENT", "SETINFO", "foo", "1")).isEqualTo("-ERR Unrecognized option 'foo'\r\n");
        assertThat(tester.run("CLIENT", "INFO")).contains(" lib-name=x(y) lib-ver=\n");
    }

    @Test
    void infoHasTheFieldsOfRedisInOrder() {
        tester.run("CLIENT", "SETNAME", "me");
        tester.run("SELECT", "2");
        tester.advance(3_000);
        assertThat(tester.run("CLIENT", "INFO"))
                .matches("\\$\\d+\r\nid=" + id(tester.client())
                        + " addr=127.0.0.1:50000 laddr=127.0.0.1:6379 fd=8 name=me age=3 idle=0 flags=N db=2 sub=0 psub=0"
                        + " ssub=0 multi=-1 qbuf=26 qbuf-free=0 argv-mem=10 multi-mem=0 rbs=\\d+ rbp=\\d+ obl=0 oll=0"
                        + " omem=0 tot-mem=\\d+ events=r cmd=client\\|info user=default redir=-1 resp=2 lib-name="
                        + " lib-ver=\n\r\n");
    }

    @Test
    void listShowsAllOrSome() {
        assertThat(tester.run("CLIENT", "LIST").lines().filter(line -> line.startsWith("id=")))
                .hasSize(2);
        assertThat(tester.run("CLIENT", "LIST", "ID", id(other), "999"))
                .contains("id=" + id(other) + " ", "cmd=NULL")
                .doesNotContain("id=" + id(tester.client()) + " ");
        assertThat(tester.run("CLIENT", "LIST", "TYPE", "normal")).contains("id=" + id(other) + " ");
        assertThat(tester.run("CLIENT", "LIST", "TYPE", "replica")).isEqualTo("$0\r\n\r\n");
        assertThat(tester.run("CLIENT", "LIST", "TYPE", "foo")).isEqualTo("-ERR Unknown client type 'foo'\r\n");
        assertThat(tester.run("CLIENT", "LIST", "ID", "x")).isEqualTo("-ERR Invalid client ID\r\n");
        assertThat(tester.run("CLIENT", "LIST", "ID")).isEqualTo(SYNTAX);
        tester.run("HELLO", "3");
        assertThat(tester.run("CLIENT", "LIST")).startsWith("=").contains("\r\ntxt:id=");
    }

    @Test
    void flagsShowInTheList() {
        tester.run("CLIENT", "NO-EVICT", "ON");
        assertThat(tester.run("CLIENT", "NO-TOUCH", "on")).isEqualTo("+OK\r\n");
        assertThat(tester.run("CLIENT", "INFO")).contains(" flags=eT ");
        assertThat(tester.run("CLIENT", "NO-EVICT", "maybe")).isEqualTo(SYNTAX);
        tester.run("CLIENT", "NO-EVICT", "OFF");
        tester.run("CLIENT", "NO-TOUCH", "OFF");
        assertThat(tester.run("CLIENT", "INFO")).contains(" flags=N ");
    }

    @Test
    void killByIdEndsTheOther() {
        assertThat(tester.run("CLIENT", "KILL", "ID", id(other))).isEqualTo(":1\r\n");
        assertThat(other.session().closing()).isTrue();
        assertThat(tester.run("CLIENT", "LIST")).doesNotContain("id=" + id(other) + " ");
        assertThat(tester.run("CLIENT", "KILL", "ID", id(other))).isEqualTo(":0\r\n");
    }

    @Test
    void killSparesItselfUnlessTold() {
        assertThat(tester.run("CLIENT", "KILL", "TYPE", "normal", "USER", "default"))
                .isEqualTo(":1\r\n");
        assertThat(tester.client().session().closing()).isFalse();
        assertThat(tester.run("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "no"))
                .isEqualTo(":1\r\n");
        assertThat(tester.client().session().closing()).isTrue();
    }

    @Test
    void killByAddressInTheOldFormEndsItselfToo() {
        assertThat(tester.run("CLIENT", "KILL", "1.2.3.4:5")).isEqualTo("-ERR No such client\r\n");
        assertThat(tester.run("CLIENT", "KILL", "127.0.0.1:50000")).isEqualTo("+OK\r\n");
        assertThat(other.session().closing()).isTrue();
        assertThat(tester.client().session().closing()).isTrue();
    }

    @Test
    void killFiltersMustAllMeet() {
        assertThat(tester.run("CLIENT", "KILL", "ID", id(other), "ADDR", "1.2.3.4:5"))
                .isEqualTo(":0\r\n");
        assertThat(tester.run("CLIENT", "KILL", "LADDR", "1.2.3.4:5")).isEqualTo(":0\r\n");
        assertThat(tester.run("CLIENT", "KILL", "MAXAGE", "10")).isEqualTo(":0\r\n");
        tester.advance(10_000);
        assertThat(tester.run("CLIENT", "KILL", "MAXAGE", "10", "LADDR", "127.0.0.1:6379"))
                .isEqualTo(":1\r\n");
    }

    @Test
    void killRefusesBadFilters() {
        assertThat(tester.run("CLIENT", "KILL", "ID", "0")).isEqualTo("-ERR client-id should be greater than 0\r\n");
        assertThat(tester.run("CLIENT", "KILL", "TYPE", "foo")).isEqualTo("-ERR Unknown client type 'foo'\r\n");
        assertThat(tester.run("CLIENT", "KILL", "USER", "foo")).isEqualTo("-ERR No such user 'foo'\r\n");
        assertThat(tester.run("CLIENT", "KILL", "SKIPME", "x")).isEqualTo(SYNTAX);
        assertThat(tester.run("CLIENT", "KILL", "ID", "1", "TYPE")).isEqualTo(SYNTAX);
        assertThat(tester.run("CLIENT", "KILL", "FOO", "1")).isEqualTo(SYNTAX);
    }

    @Test
    void replyOffAndSkip() {
        assertThat(tester.run("CLIENT", "REPLY", "OFF")).isEmpty();
        assertThat(tester.run("PING")).isEmpty();
        assertThat(tester.run("NOSUCH")).isEmpty();
        assertThat(tester.run("CLIENT", "REPLY", "SKIP")).isEmpty();
        assertThat(tester.run("CLIENT", "REPLY", "ON")).isEqualTo("+OK\r\n");
        assertThat(tester.run("CLIENT", "REPLY", "SKIP")).isEmpty();
        assertThat(tester.run("PING")).isEmpty();
        assertThat(tester.run("PING")).isEqualTo("+PONG\r\n");
        assertThat(tester.run("CLIENT", "REPLY", "x")).isEqualTo(SYNTAX);
    }

    @Test
    void pauseHoldsWritesBackUntilItsTime() {
        assertThat(tester.run("CLIENT", "PAUSE", "1000", "WRITE")).isEqualTo("+OK\r\n");
        assertThat(tester.engine().pauses().writesPaused()).isTrue();
        assertThat(tester.run("PING")).isEqualTo("+PONG\r\n");
        tester.advance(1000);
        assertThat(tester.engine().pauses().writesPaused()).isFalse();
        tester.run("CLIENT", "PAUSE", "1000", "WRITE");
        assertThat(tester.run("CLIENT", "UNPAUSE")).isEqualTo("+OK\r\n");
        assertThat(tester.engine().pauses().writesPaused()).isFalse();
    }

    @Test
    void pauseRefusesBadTimes() {
        assertThat(tester.run("CLIENT", "PAUSE", "x")).isEqualTo("-ERR timeout is not an integer or out of range\r\n");
        assertThat(tester.run("CLIENT", "PAUSE", "-1")).isEqualTo("-ERR timeout is negative\r\n");
        assertThat(tester.run("CLIENT", "PAUSE", "9223372036854775807")).isEqualTo("-ERR timeout is out of range\r\n");
        assertThat(tester.run("CLIENT", "PAUSE", "1", "foo"))
                .isEqualTo("-ERR CLIENT PAUSE mode must be WRITE or ALL\r\n");
        assertThat(tester.run("CLIENT", "PAUSE", "1", "ALL", "x"))
                .isEqualTo("-ERR unknown subcommand or wrong number of arguments for 'PAUSE'. Try CLIENT HELP.\r\n");
    }

    @Test
    void unblockFindsNobodyBlocked() {
        assertThat(tester.run("CLIENT", "UNBLOCK", id(other))).isEqualTo(":0\r\n");
        assertThat(tester.run("CLIENT", "UNBLOCK", "999", "ERROR")).isEqualTo(":0\r\n");
        assertThat(tester.run("CLIENT", "UNBLOCK", "x")).isEqualTo("-ERR value is not an integer or out of range\r\n");
        assertThat(tester.run("CLIENT", "UNBLOCK", "1", "x"))
                .isEqualTo("-ERR CLIENT UNBLOCK reason should be TIMEOUT or ERROR\r\n");
    }

    @Test
    void helpComesFromTheTable() {
        assertThat(tester.run("CLIENT", "HELP"))
                .contains("+CLIENT <subcommand> [<arg> [value] [opt] ...]. Subcommands are:\r\n")
                .contains("+PAUSE timeout [WRITE | ALL]\r\n+    Holds back")
                .endsWith("+HELP\r\n+    Print this help.\r\n");
        assertThat(tester.run("CLIENT", "FOO")).isEqualTo("-ERR unknown subcommand 'FOO'. Try CLIENT HELP.\r\n");
        assertThat(tester.run("CLIENT")).isEqualTo("-ERR wrong number of arguments for 'client' command\r\n");
        assertThat(tester.run("CLIENT", "HELP", "x"))
                .isEqualTo("-ERR wrong number of arguments for 'client|help' command\r\n");
    }
}
