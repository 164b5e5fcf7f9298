package dev.heddle.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Scripts that never end or take all memory harm nobody but their own client; what scripts write survives. */
class ScriptingIT {

    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final String BUSY =
            "BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.";

    private static void awaitBusy(RawClient other) {
        await().atMost(LIMIT).until(() -> other.call("PING").text().equals(BUSY));
    }

    private static void killsEndlessScript(RunningServer server, String script) {
        try (RawClient client = server.connect();
                RawClient other = server.connect()) {
            client.send("EVAL", script, "0");
            client.flush();
            awaitBusy(other);
            assertThat(other.call("SCRIPT", "KILL").text()).isEqualTo("OK");
            assertThat(client.read().text()).contains("Script killed by user with SCRIPT KILL", "on @user_script:1.");
            assertThat(other.call("PING").text()).isEqualTo("PONG");
            assertThat(other.call("SCRIPT", "KILL").text()).startsWith("NOTBUSY");
        }
    }

    /** One carrier thread is the hard case: others are only heard if the script lets go of it. */
    @Test
    void anEndlessScriptMakesOthersHearThatTheServerIsBusyAndCanBeKilled() {
        try (RunningServer server = HeddleServer.start("--busy-reply-threshold", "50", "--io-threads", "1")) {
            killsEndlessScript(server, "while true do end");
            killsEndlessScript(server, "while true do pcall(function() while true do end end) end");
            killsEndlessScript(server, "return coroutine.wrap(function() while true do end end)()");
            killsEndlessScript(server, "table.sort({3,2,1}, function(a, b) while true do end end)");
            killsEndlessScript(server, "return string.gsub('aaa', 'a', function() while true do end end)");
            killsEndlessScript(server, "while true do redis.call('get', 'k') end");
            killsEndlessScript(server, "return string.find(string.rep('a', 60), string.rep('a-', 40) .. 'b')");
        }
    }

    @Test
    void aScriptThatHasWrittenIsNotKilledButTheServerCanEnd() {
        try (RunningServer server = HeddleServer.start("--busy-reply-threshold", "50");
                RawClient client = server.connect();
                RawClient other = server.connect()) {
            client.send("EVAL", "redis.call('set', 'k', 1) while true do end", "0");
            client.flush();
            awaitBusy(other);
            assertThat(other.call("SCRIPT", "KILL").text()).startsWith("UNKILLABLE");
            other.send("SHUTDOWN", "NOSAVE");
            other.flush();
            assertThat(server.exitCode()).isZero();
        }
    }

    @Test
    void aScriptThatTakesAllMemoryFailsAndTheServerGoesOn() {
        try (RunningServer server = HeddleServer.startWithHeap("64m");
                RawClient client = server.connect();
                RawClient other = server.connect()) {
            other.call("SET", "k", "v");
            for (String script : new String[] {
                "local t = {} while true do t[#t + 1] = {} end",
                "local s = 'x' while true do s = s .. s end",
                "local t = {} while true do t[#t + 1] = string.rep('x', 100000) .. #t end",
                "local function f() return f() + 1 end return f()"
            }) {
                assertThat(client.call("EVAL", script, "0").isError())
                        .as(script)
                        .isTrue();
                assertThat(other.call("GET", "k").text()).isEqualTo("v");
            }
        }
    }

    /** The files hold libraries as well: what is read anew replaces them, and what is only added to must not hold them twice. */
    @Test
    void librariesFollowTheDataSetWhenItIsReadAnew() {
        String library = "#!lua name=lib\nredis.register_function('one', function() return 1 end)";
        try (RunningServer server =
                        HeddleServer.start("--appendonly", "yes", "--enable-debug-command", "yes", "--save", "");
                RawClient client = server.connect()) {
            assertThat(client.call("FUNCTION", "LOAD", library).text()).isEqualTo("lib");
            for (String how : new String[] {"RELOAD", "RELOAD NOFLUSH MERGE", "LOADAOF"}) {
                assertThat(client.line("DEBUG " + how).text()).as(how).isEqualTo("OK");
                assertThat(client.call("FCALL", "one", "0").text()).isEqualTo("1");
            }
            assertThat(client.line("DEBUG RELOAD NOFLUSH").isError()).isTrue();
            assertThat(server.log()).doesNotContain("answered an error");
        }
    }

    @Test
    void whatScriptsAndFunctionsWriteSurvivesAKill() {
        Path folder = RunningServer.newFolder("scripts");
        int port = RunningServer.freePort();
        String[] directives = {"--appendonly", "yes", "--appendfsync", "always"};
        String library = "#!lua name=lib\nredis.register_function('add', function(k, a)"
                + " return redis.call('incrby', k[1], a[1]) end)";
        try (RunningServer server = HeddleServer.restart(folder, port, directives);
                RawClient client = server.connect()) {
            client.call("EVAL", "for i = 1, 10 do redis.call('rpush', KEYS[1], i) end", "1", "l");
            client.call("EVAL", "redis.call('select', 3) redis.call('set', 'three', ARGV[1])", "0", "x");
            assertThat(client.call("FUNCTION", "LOAD", library).text()).isEqualTo("lib");
            assertThat(client.call("FCALL", "add", "1", "n", "5").text()).isEqualTo("5");
            server.kill();
        }
        try (RunningServer server = HeddleServer.restart(folder, port, directives);
                RawClient client = server.connect()) {
            assertThat(client.call("LLEN", "l").text()).isEqualTo("10");
            assertThat(client.call("FCALL", "add", "1", "n", "5").text()).isEqualTo("10");
            client.call("SELECT", "3");
            assertThat(client.call("GET", "three").text()).isEqualTo("x");
            client.call("BGREWRITEAOF");
            await().atMost(LIMIT)
                    .until(() -> client.call("INFO", "persistence").text().contains("aof_rewrite_in_progress:0"));
            server.kill();
        }
        try (RunningServer server = HeddleServer.restart(folder, port, directives);
                RawClient client = server.connect()) {
            assertThat(client.call("FCALL", "add", "1", "n", "1").text()).isEqualTo("11");
        }
    }
}
