package dev.heddle.command.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.command.catalog.CommandTester;
import org.junit.jupiter.api.Test;

class CommandCommandsTest {

    private static final String GET_2 = "*10\r\n$3\r\nget\r\n:2\r\n*2\r\n+readonly\r\n+fast\r\n:1\r\n:1\r\n:1\r\n"
            + "*3\r\n+@read\r\n+@string\r\n+@fast\r\n*0\r\n*1\r\n*6\r\n$5\r\nflags\r\n*2\r\n+RO\r\n+access\r\n"
            + "$12\r\nbegin_search\r\n*4\r\n$4\r\ntype\r\n$5\r\nindex\r\n$4\r\nspec\r\n*2\r\n$5\r\nindex\r\n:1\r\n"
            + "$9\r\nfind_keys\r\n*4\r\n$4\r\ntype\r\n$5\r\nrange\r\n$4\r\nspec\r\n*6\r\n$7\r\nlastkey\r\n:0\r\n"
            + "$7\r\nkeystep\r\n:1\r\n$5\r\nlimit\r\n:0\r\n*0\r\n";
    private static final String PING_3 = "*10\r\n$4\r\nping\r\n:-1\r\n~1\r\n+fast\r\n:0\r\n:0\r\n:0\r\n"
            + "~2\r\n+@fast\r\n+@connection\r\n"
            + "~2\r\n$25\r\nrequest_policy:all_shards\r\n$29\r\nresponse_policy:all_succeeded\r\n~0\r\n~0\r\n";

    private final CommandTester tester = new CommandTester();

    @Test
    void infoHasTenElements() {
        assertThat(tester.run("COMMAND", "INFO", "get", "nosuch")).isEqualTo("*2\r\n" + GET_2 + "$-1\r\n");
        tester.run("HELLO", "3");
        assertThat(tester.run("COMMAND", "INFO", "PING")).isEqualTo("*1\r\n" + PING_3);
    }

    @Test
    void infoNestsSubcommands() {
        assertThat(tester.run("COMMAND", "INFO", "config"))
                .startsWith(
                        "*1\r\n*10\r\n$6\r\nconfig\r\n:-2\r\n*0\r\n:0\r\n:0\r\n:0\r\n*1\r\n+@slow\r\n*0\r\n*0\r\n*5\r\n"
                                + "*10\r\n$10\r\nconfig|get\r\n:-3\r\n");
        assertThat(tester.run("COMMAND", "INFO", "config|get", "config|nosuch"))
                .startsWith(
                        "*2\r\n*10\r\n$10\r\nconfig|get\r\n:-3\r\n*4\r\n+admin\r\n+noscript\r\n+loading\r\n+stale\r\n")
                .endsWith("$-1\r\n");
    }

    @Test
    void countAndListAgree() {
        int count = tester.engine().table().all().size();
        assertThat(tester.run("COMMAND", "COUNT")).isEqualTo(":" + count + "\r\n");
        assertThat(tester.run("COMMAND")).startsWith("*" + count + "\r\n*10\r\n");
        assertThat(tester.run("COMMAND", "INFO")).isEqualTo(tester.run("COMMAND"));
        assertThat(tester.run("COMMAND", "DOCS")).startsWith("*" + 2 * count + "\r\n");
    }

    @Test
    void listFilters() {
        assertThat(tester.run("COMMAND", "LIST")).contains("\r\n$3\r\nget\r\n").contains("$9\r\nclient|id\r\n");
        assertThat(tester.run("COMMAND", "LIST", "FILTERBY", "PATTERN", "CLIENT|*NAME"))
                .isEqualTo("*2\r\n$14\r\nclient|getname\r\n$14\r\nclient|setname\r\n");
        assertThat(tester.run("COMMAND", "LIST", "FILTERBY", "ACLCAT", "connection"))
                .contains("$4\r\nping\r\n")
                .doesNotContain("$3\r\nget\r\n");
        assertThat(tester.run("COMMAND", "LIST", "FILTERBY", "ACLCAT", "nosuch"))
                .isEqualTo("*0\r\n");
        assertThat(tester.run("COMMAND", "LIST", "FILTERBY", "MODULE", "m")).isEqualTo("*0\r\n");
        assertThat(tester.run("COMMAND", "LIST", "FILTERBY", "FOO", "m")).isEqualTo("-ERR syntax error\r\n");
        assertThat(tester.run("COMMAND", "LIST", "x")).isEqualTo("-ERR syntax error\r\n");
    }

    @Test
    void docsDescribeArguments() {
        assertThat(tester.run("COMMAND", "DOCS", "echo", "nosuch"))
                .isEqualTo("*2\r\n$4\r\necho\r\n*10\r\n$7\r\nsummary\r\n$20\r\nAnswers the message.\r\n"
                        + "$5\r\nsince\r\n$5\r\n1.0.0\r\n$5\r\ngroup\r\n$10\r\nconnection\r\n"
                        + "$10\r\ncomplexity\r\n$4\r\nO(1)\r\n$9\r\narguments\r\n*1\r\n*6\r\n$4\r\nname\r\n$7\r\nmessage\r\n"
                        + "$4\r\ntype\r\n$6\r\nstring\r\n$12\r\ndisplay_text\r\n$7\r\nmessage\r\n");
        assertThat(tester.run("COMMAND", "DOCS", "quit"))
                .contains("$9\r\ndoc_flags\r\n*1\r\n+deprecated\r\n$16\r\ndeprecated_since\r\n$5\r\n7.2.0\r\n"
                        + "$11\r\nreplaced_by\r\n");
        assertThat(tester.run("COMMAND", "DOCS", "client"))
                .contains("$11\r\nsubcommands\r\n")
                .contains("$9\r\nclient|id\r\n");
    }

    @Test
    void getKeys() {
        assertThat(tester.run("COMMAND", "GETKEYS", "get", "a")).isEqualTo("*1\r\n$1\r\na\r\n");
        assertThat(tester.run("COMMAND", "GETKEYS", "memory", "usage", "k")).isEqualTo("*1\r\n$1\r\nk\r\n");
        assertThat(tester.run("COMMAND", "GETKEYSANDFLAGS", "get", "a"))
                .isEqualTo("*1\r\n*2\r\n$1\r\na\r\n*2\r\n+RO\r\n+access\r\n");
        assertThat(tester.run("COMMAND", "GETKEYSANDFLAGS", "set", "a", "b"))
                .isEqualTo("*1\r\n*2\r\n$1\r\na\r\n*2\r\n+OW\r\n+update\r\n");
        assertThat(tester.run("COMMAND", "GETKEYSANDFLAGS", "set", "a", "b", "get"))
                .isEqualTo("*1\r\n*2\r\n$1\r\na\r\n*3\r\n+RW\r\n+access\r\n+update\r\n");
        assertThat(tester.run("COMMAND", "GETKEYS", "nosuch")).isEqualTo("-ERR Invalid command specified\r\n");
        assertThat(tester.run("COMMAND", "GETKEYS", "client", "nosuch"))
                .isEqualTo("-ERR Invalid command specified\r\n");
        assertThat(tester.run("COMMAND", "GETKEYS", "ping")).isEqualTo("-ERR The command has no key arguments\r\n");
        assertThat(tester.run("COMMAND", "GETKEYS", "get", "a", "b"))
                .isEqualTo("-ERR Invalid number of arguments specified for command\r\n");
    }

    @Test
    void unknownSubcommandIsRefusedThoughCommandRunsAlone() {
        assertThat(tester.run("COMMAND", "FOO")).isEqualTo("-ERR unknown subcommand 'FOO'. Try COMMAND HELP.\r\n");
        assertThat(tester.run("COMMAND", "HELP"))
                .contains("+(no subcommand)\r\n", "+GETKEYS command [arg [arg ...]]\r\n");
    }
}
