package dev.heddle.command.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.command.catalog.CommandTester;
import dev.heddle.command.catalog.CommandTester.Client;
import org.junit.jupiter.api.Test;

class ConnectionCommandsTest {

    private static final String WRONGPASS = "-WRONGPASS invalid username-password pair or user is disabled.\r\n";

    private final CommandTester tester = new CommandTester();

    @Test
    void pingAnswersPongOrTheMessage() {
        assertThat(tester.run("PING")).isEqualTo("+PONG\r\n");
        assertThat(tester.run("ping", "a\r\nb")).isEqualTo("$4\r\na\r\nb\r\n");
        assertThat(tester.run("PING", "a", "b")).isEqualTo("-ERR wrong number of arguments for 'ping' command\r\n");
    }

    @Test
    void echoAnswersTheMessage() {
        assertThat(tester.run("ECHO", "")).isEqualTo("$0\r\n\r\n");
        assertThat(tester.run("ECHO")).isEqualTo("-ERR wrong number of arguments for 'echo' command\r\n");
    }

    @Test
    void quitClosesAfterItsReply() {
        assertThat(tester.run("QUIT")).isEqualTo("+OK\r\n");
        assertThat(tester.client().session().closing()).isTrue();
    }

    @Test
    void selectChoosesTheDatabase() {
        assertThat(tester.run("SELECT", "15")).isEqualTo("+OK\r\n");
        assertThat(tester.client().session().database()).isEqualTo(15);
        assertThat(tester.run("SELECT", "16")).isEqualTo("-ERR DB index is out of range\r\n");
        assertThat(tester.run("SELECT", "-1")).isEqualTo("-ERR DB index is out of range\r\n");
        assertThat(tester.run("SELECT", "x")).isEqualTo("-ERR value is not an integer or out of range\r\n");
        assertThat(tester.run("SELECT", "99999999999"))
                .isEqualTo("-ERR value is out of range, value must between -2147483648 and 2147483647\r\n");
        assertThat(tester.client().session().database()).isEqualTo(15);
    }

    @Test
    void authWithoutPasswordSet() {
        assertThat(tester.run("AUTH", "x"))
                .isEqualTo("-ERR AUTH <password> called without any password configured for the default user. Are you"
                        + " sure your configuration is correct?\r\n");
        assertThat(tester.run("AUTH", "default", "x")).isEqualTo("+OK\r\n");
        assertThat(tester.run("AUTH", "somebody", "x")).isEqualTo(WRONGPASS);
        assertThat(tester.run("AUTH", "a", "b", "c")).isEqualTo("-ERR syntax error\r\n");
    }

    @Test
    void authWithPasswordSet() {
        tester.run("CONFIG", "SET", "requirepass", "secret");
        Client stranger = tester.connect();

        assertThat(stranger.run("PING")).isEqualTo("-NOAUTH Authentication required.\r\n");
        // What the configuration forbids is said first, as Redis does.
        assertThat(stranger.run("DEBUG", "JMAP")).startsWith("-ERR DEBUG command not allowed. ");
        assertThat(stranger.run("AUTH", "wrong")).isEqualTo(WRONGPASS);
        assertThat(stranger.run("AUTH", "default", "")).isEqualTo(WRONGPASS);
        assertThat(stranger.run("AUTH", "somebody", "secret")).isEqualTo(WRONGPASS);
        assertThat(stranger.run("PING")).isEqualTo("-NOAUTH Authentication required.\r\n");
        assertThat(stranger.run("AUTH", "secret")).isEqualTo("+OK\r\n");
        assertThat(stranger.run("PING")).isEqualTo("+PONG\r\n");
        assertThat(stranger.run("RESET")).isEqualTo("+RESET\r\n");
        assertThat(stranger.run("PING")).isEqualTo("-NOAUTH Authentication required.\r\n");
        assertThat(stranger.run("AUTH", "default", "secret")).isEqualTo("+OK\r\n");
    }

    @Test
    void takingThePasswordAwayLetsEverybodyIn() {
        tester.run("CONFIG", "SET", "requirepass", "secret");
        Client stranger = tester.connect();
        tester.run("CONFIG", "SET", "requirepass", "");

        assertThat(stranger.run("PING")).isEqualTo("+PONG\r\n");
    }

    @Test
    void helloSwitchesTheProtocol() {
        String id = Long.toString(tester.client().session().id());
        assertThat(tester.run("HELLO", "3"))
                .isEqualTo(
                        "%7\r\n$6\r\nserver\r\n$5\r\nredis\r\n$7\r\nversion\r\n$5\r\n7.2.4\r\n$5\r\nproto\r\n:3\r\n"
                                + "$2\r\nid\r\n:" + id
                                + "\r\n$4\r\nmode\r\n$10\r\nstandalone\r\n$4\r\nrole\r\n$6\r\nmaster\r\n$7\r\nmodules\r\n*0\r\n");
        assertThat(tester.run("HELLO")).startsWith("%7\r\n").contains("proto\r\n:3\r\n");
        assertThat(tester.run("HELLO", "2")).startsWith("*14\r\n").contains("proto\r\n:2\r\n");
        assertThat(tester.run("HELLO", "3")).startsWith("%7\r\n");
        assertThat(tester.run("RESET")).isEqualTo("+RESET\r\n");
        assertThat(tester.run("HELLO")).startsWith("*14\r\n");
    }

    @Test
    void helloRefusesWhatItDoesNotKnow() {
        assertThat(tester.run("HELLO", "4")).isEqualTo("-NOPROTO unsupported protocol version\r\n");
        assertThat(tester.run("HELLO", "x")).isEqualTo("-ERR Protocol version is not an integer or out of range\r\n");
        assertThat(tester.run("HELLO", "3", "FOO")).isEqualTo("-ERR Syntax error in HELLO option 'FOO'\r\n");
        assertThat(tester.run("HELLO", "3", "AUTH", "default"))
                .isEqualTo("-ERR Syntax error in HELLO option 'AUTH'\r\n");
        assertThat(tester.run("HELLO", "3", "SETNAME", "a b"))
                .isEqualTo("-ERR Client names cannot contain spaces, newlines or special characters.\r\n");
        assertThat(tester.run("HELLO")).startsWith("*14\r\n");
    }

    @Test
    void helloAuthenticatesAndNames() {
        tester.run("CONFIG", "SET", "requirepass", "secret");
        Client stranger = tester.connect();

        assertThat(stranger.run("HELLO", "3"))
                .isEqualTo(
                        "-NOAUTH HELLO must be called with the client already authenticated, otherwise the HELLO <proto>"
                                + " AUTH <user> <pass> option can be used to authenticate the client and select the RESP"
                                + " protocol version at the same time\r\n");
        assertThat(stranger.run("HELLO", "3", "AUTH", "default", "wrong")).isEqualTo(WRONGPASS);
        assertThat(stranger.run("HELLO", "3", "AUTH", "default", "secret", "SETNAME", "me"))
                .startsWith("%7\r\n");
        assertThat(stranger.run("CLIENT", "GETNAME")).isEqualTo("$2\r\nme\r\n");
    }
}
