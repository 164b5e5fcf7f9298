package dev.heddle.command.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.command.catalog.CommandTester;
import org.junit.jupiter.api.Test;

class CommandCommandsTest {

    private static final String GET_2 = Wire.lines(
            "*10",
            "$3",
            "get",
            ":2",
            "*2",
            "+readonly",
            "+fast",
            ":1",
            ":1",
            ":1",
            "*3",
            "+@read",
            "+@string",
            "+@fast",
            "*0",
            "*1",
            "*6",
            "$5",
            "flags",
            "*2",
            "+RO",
            "+access",
            "$12",
            "begin_search",
            "*4",
            "$4",
            "type",
            "$5",
            "index",
            "$4",
            "spec",
            "*2",
            "$5",
            "index",
            ":1",
            "$9",
            "find_keys",
            "*4",
            "$4",
            "type",
            "$5",
            "range",
            "$4",
            "spec",
            "*6",
            "$7",
            "lastkey",
            ":0",
            "$7",
            "keystep",
            ":1",
            "$5",
            "limit",
            ":0",
            "*0");
    private static final String PING_3 = Wire.lines(
            "*10",
            "$4",
            "ping",
            ":-1",
            "~1",
            "+fast",
            ":0",
            ":0",
            ":0",
            "~2",
            "+@fast",
            "+@connection",
            "~2",
            "$25",
            "request_policy:all_shards",
            "$29",
            "response_policy:all_succeeded",
            "~0",
            "~0");

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
                .startsWith(Wire.lines(
                        "*1",
                        "*10",
                        "$6",
                        "config",
                        ":-2",
                        "*0",
                        ":0",
                        ":0",
                        ":0",
                        "*1",
                        "+@slow",
                        "*0",
                        "*0",
                        "*5",
                        "*10",
                        "$10",
                        "config|get",
                        ":-3"));
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
                .isEqualTo(Wire.lines(
                        "*2",
                        "$4",
                        "echo",
                        "*10",
                        "$7",
                        "summary",
                        "$20",
                        "Answers the message.",
                        "$5",
                        "since",
                        "$5",
                        "1.0.0",
                        "$5",
                        "group",
                        "$10",
                        "connection",
                        "$10",
                        "complexity",
                        "$4",
                        "O(1)",
                        "$9",
                        "arguments",
                        "*1",
                        "*6",
                        "$4",
                        "name",
                        "$7",
                        "message",
                        "$4",
                        "type",
                        "$6",
                        "string",
                        "$12",
                        "display_text",
                        "$7",
                        "message"));
        assertThat(tester.run("COMMAND", "DOCS", "quit"))
                .contains(Wire.lines(
                        "$9",
                        "doc_flags",
                        "*1",
                        "+deprecated",
                        "$16",
                        "deprecated_since",
                        "$5",
                        "7.2.0",
                        "$11",
                        "replaced_by"));
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
