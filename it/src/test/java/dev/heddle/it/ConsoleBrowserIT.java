package dev.heddle.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The console as somebody sees it: in a real Chromium. */
class ConsoleBrowserIT {

    private static final String HOSTILE = "<img src=x onerror=window.broken=1>";

    private static RunningServer server;
    private static String url;
    private static Browser browser;
    private static RawClient client;

    @BeforeAll
    static void start() throws IOException {
        browser = Browser.start();
        int port = RunningServer.freePort();
        url = "http://127.0.0.1:" + port;
        server = HeddleServer.start("--console-port", Integer.toString(port), "--save", "");
        client = server.connect();
    }

    @AfterAll
    static void stop() {
        if (browser != null) {
            browser.close();
        }
        if (server != null) {
            server.close();
        }
    }

    @BeforeEach
    void freshPage() {
        client.call("FLUSHALL");
        browser.size(1200, 800, false);
        browser.go("about:blank");
        browser.go(url + "/");
        browser.eval("localStorage.clear()");
        browser.complaints();
    }

    @AfterEach
    void nothingWentWrong() {
        assertThat(browser.complaints()).isEmpty();
        assertThat(browser.eval("window.broken === undefined").getAsBoolean()).isTrue();
    }

    private static void open(String view) {
        browser.go("about:blank");
        browser.go(url + "/#" + view);
        browser.await("!!document.querySelector('[data-view=" + view + "][aria-current]')");
    }

    private static void run(String commands) {
        browser.await("document.querySelector('.term-in button').hidden"
                + " || document.querySelector('.prompt').textContent.includes('listening')");
        browser.type("#terminal-input", commands + Browser.ENTER);
    }

    /** Waits until the text of the last block of output has this in it. */
    private static void awaitOutput(String text) {
        browser.await(
                "document.querySelector('.term-out').lastElementChild.textContent.includes(" + quoted(text) + ")");
    }

    private static String quoted(String text) {
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
    }

    @Test
    void theTerminalRunsCommandsAndDrawsReplies() throws IOException {
        open("terminal");
        run("SET greeting \"hello, warp and weft\"");
        awaitOutput("OK");
        run("HSET loom:1 threads 1200 colour indigo; HGETALL loom:1");
        browser.await("document.querySelectorAll('.v-map tr').length === 2");
        run("SET bin \"\\xff\\x00\\n\"; GET bin");
        awaitOutput("\"\\xff\\x00\\n\"");
        run("GET none");
        awaitOutput("(nil)");
        run("LPUSH greeting x");
        awaitOutput("(error) WRONGTYPE");
        run("MULTI");
        browser.await("document.querySelector('.prompt').textContent.includes('MULTI(0)')");
        run("INCR n");
        awaitOutput("QUEUED");
        run("EXEC");
        awaitOutput("(integer) 1");
        run("SELECT 3");
        browser.await("document.querySelector('.prompt').textContent.startsWith('db3')");
        browser.type("#terminal-input", "zrangest");
        browser.await("document.querySelectorAll('#completions li').length === 1");
        browser.type("#terminal-input", Browser.TAB);
        browser.await("document.querySelector('.term-hint').textContent.startsWith('ZRANGESTORE ')");
        browser.shot("terminal");
        browser.type("#terminal-input", Browser.CONTROL + "r" + Browser.NO_MODIFIER + "none");
        browser.await("document.querySelector('.term-hint').textContent === 'GET none'");
        browser.type("#terminal-input", Browser.ENTER);
        awaitOutput("GET none");
    }

    @Test
    void messagesStreamIntoTheTerminalAndCommandsCanBeStopped() {
        open("terminal");
        run("SUBSCRIBE news");
        browser.await("document.querySelector('.prompt').textContent.includes('listening')");
        client.call("PUBLISH", "news", "hot off the loom");
        browser.await("document.querySelector('[data-live]').textContent.includes('hot off the loom')");
        browser.clickButton("Stop");
        browser.await("!document.querySelector('.prompt').textContent.includes('listening')");
        run("MONITOR");
        browser.await("document.querySelector('.prompt').textContent.includes('monitor')");
        client.call("SET", "watched", "1");
        browser.await("document.querySelector('.term-out').textContent.includes('\"SET\" \"watched\" \"1\"')");
        browser.clickButton("Stop");
        browser.await("document.querySelector('.prompt').textContent === 'db0>'");
        run("BLPOP empty 0");
        browser.clickButton("Stop");
        awaitOutput("UNBLOCKED");
    }

    /** Opens a key by its name in the list. */
    private static void choose(String key) {
        browser.await("[...document.querySelectorAll('.row')].some(r => r.title === " + quoted(key) + ")");
        browser.eval("[...document.querySelectorAll('.row')].find(r => r.title === " + quoted(key) + ").click()");
        browser.await("document.querySelector('.viewer h2')?.textContent === " + quoted(key));
    }

    @Test
    void keysOfEachTypeAreShownAndEdited() throws IOException {
        client.call("SET", "json", "{\"a\":[1,2]}");
        client.call("HSET", "user:1", "name", "ada", "city", "london");
        client.call("EXPIRE", "user:1", "5000");
        client.call("RPUSH", "queue", "first", "second");
        client.call("SADD", "tags", "red");
        client.call("ZADD", "scores", "1.5", "ada");
        client.call("XADD", "events", "1-1", "kind", "start");
        client.call("XGROUP", "CREATE", "events", "readers", "0");
        client.call("XREADGROUP", "GROUP", "readers", "ada", "STREAMS", "events", ">");
        open("keys");
        browser.click(".folder");
        choose("user:1");
        browser.await("document.querySelector('.facts').textContent.includes('TTL 1 h')"
                + " || document.querySelector('.facts').textContent.includes('TTL 83')");
        browser.clickButton("+ Add");
        browser.fill("#field-name", "tool");
        browser.fill("#field-value", "loom");
        browser.click("dialog[open] [type=submit]");
        browser.await("document.querySelector('.items').textContent.includes('tool')");
        assertThat(client.call("HGET", "user:1", "tool").body()).isEqualTo("loom");
        browser.shot("keys");

        choose("json");
        browser.await("document.querySelector('.value-text').value.includes('\"a\": [')");
        browser.clickButton("Text");
        browser.fill(".value-text", "plain");
        browser.click("#string-save");
        browser.await("document.querySelector('#notes').textContent.includes('Saved')");
        assertThat(client.call("GET", "json").body()).isEqualTo("plain");

        choose("queue");
        browser.clickButton("+ At the tail");
        browser.fill("#field-value", "third");
        browser.click("dialog[open] [type=submit]");
        browser.await("document.querySelectorAll('.items tbody tr').length === 3");
        browser.click(".items tbody tr:nth-child(2) .danger");
        browser.click("dialog[open] [type=submit]");
        browser.await("document.querySelectorAll('.items tbody tr').length === 2");

        choose("tags");
        browser.clickButton("+ Add");
        browser.fill("#field-value", "blue");
        browser.click("dialog[open] [type=submit]");
        browser.await("document.querySelectorAll('.items tbody tr').length === 2");

        choose("scores");
        browser.click(".items tbody .icon:not(.danger)");
        browser.fill("#field-score", "7");
        browser.click("dialog[open] [type=submit]");
        browser.await("document.querySelector('.items tbody').textContent.includes('7')");

        choose("events");
        browser.clickButton("+ Entry");
        browser.fill("#field-name", "kind");
        browser.fill("#field-value", "stop");
        browser.click("dialog[open] [type=submit]");
        browser.await("document.querySelector('.facts + *, .toolbar').textContent.includes('2 entries')");
        browser.clickButton("Pending");
        browser.await("document.querySelector('dialog[open]').textContent.includes('1-1')");
        browser.clickButton("Close");

        choose("scores");
        browser.clickButton("Delete");
        browser.click("dialog[open] [type=submit]");
        browser.await("document.querySelector('.keys-foot').textContent.includes('5 keys')");
        assertThat(client.call("EXISTS", "scores").head()).isEqualTo(":0");
    }

    @Test
    void aKeyIsAddedFilteredRenamedAndGivenATime() {
        client.call("SET", "other", "1");
        open("keys");
        browser.click("#key-add");
        browser.fill("#field-key", "made");
        browser.fill("#field-first", "here");
        browser.click("dialog[open] [type=submit]");
        browser.await("document.querySelector('.viewer h2')?.textContent === 'made'");
        browser.clickButton("TTL");
        browser.fill("#field-seconds", "100");
        browser.click("dialog[open] [type=submit]");
        browser.await("document.querySelector('.facts').textContent.includes('TTL 1:')");
        browser.clickButton("Rename");
        browser.fill("#field-name", "renamed");
        browser.click("dialog[open] [type=submit]");
        browser.await("document.querySelector('.viewer h2')?.textContent === 'renamed'");
        browser.type("#keys-filter", "ren" + Browser.ENTER);
        browser.await("document.querySelector('.keys-foot').textContent.startsWith('1 key')");
    }

    @Test
    void hostileDataIsOnlyText() throws IOException {
        client.call("SET", HOSTILE, HOSTILE);
        client.call("HSET", "h" + HOSTILE, HOSTILE, HOSTILE);
        client.call("SADD", "s", HOSTILE, "\u0000\u001b[31m");
        client.call("CLIENT", "SETNAME", HOSTILE.replace(' ', '_'));
        open("keys");
        for (String key : List.of(HOSTILE, "h" + HOSTILE, "s")) {
            choose(key);
            browser.await("document.querySelector('.viewer-body textarea, .items tbody tr') !== null");
        }
        assertThat(browser.eval("document.querySelectorAll('main img').length").getAsInt())
                .isZero();
        browser.shot("hostile");
        open("live");
        browser.await("document.querySelector('#live-tables').textContent.includes('onerror')");
        open("terminal");
        run("GET \"" + HOSTILE + "\"");
        awaitOutput("onerror");
        client.call("CLIENT", "SETNAME", "");
    }

    @Test
    void plotsMove() throws IOException {
        open("live");
        String last = "JSON.parse(document.querySelector('#chart-commands').dataset.last ?? '[]')";
        browser.await("Number(document.querySelector('#chart-commands').dataset.points ?? 0) >= 1");
        int points = browser.eval("Number(document.querySelector('#chart-commands').dataset.points)")
                .getAsInt();
        for (int i = 0; i < 200; i++) {
            client.call("SET", "k", Integer.toString(i));
            client.call("GET", "k");
        }
        browser.await("Number(document.querySelector('#chart-commands').dataset.points) > " + (points + 1));
        browser.await(last + ".some(([name]) => name === 'get')");
        browser.await("document.querySelectorAll('canvas').length >= 8");
        browser.shot("live");
        browser.fill("#config-filter", "slowlog-max-len");
        browser.await("document.querySelectorAll('[data-setting]').length === 1");
        browser.click("[data-setting] button");
        browser.fill("#field-value", "64");
        browser.click("dialog[open] [type=submit]");
        browser.await("document.querySelector('[data-setting]').textContent.includes('64')");
        try (RawClient victim = server.connect()) {
            client.call("CLIENT", "LIST");
            victim.call("CLIENT", "SETNAME", "victim");
            browser.eval("[...document.querySelectorAll('[aria-label=Clients] button')]"
                    + ".find(b => b.textContent === 'Refresh').click()");
            String row = "[...document.querySelectorAll('[data-client]')].find(r => r.textContent.includes('victim'))";
            browser.await("!!" + row);
            browser.eval(row + ".querySelector('button').click()");
            browser.click("dialog[open] [type=submit]");
            browser.await("!" + row);
        }
    }

    @Test
    void theTourChecksEachStep() throws IOException {
        open("learn");
        browser.await("document.querySelector('.learn > p').textContent.includes('database 15')");
        int steps = browser.eval("document.querySelectorAll('.step').length").getAsInt();
        for (int i = 0; i < steps; i++) {
            browser.eval("document.querySelector('#step-" + i + " button').click()");
            browser.await("document.querySelector('#step-" + i + " header').textContent.includes('done')");
            if (i == 10) {
                browser.shot("learn");
            }
        }
        assertThat(client.call("DBSIZE").head()).isEqualTo(":0");
    }

    @Test
    void everyViewFitsASmallPhoneInTheDark() throws IOException {
        client.call("HSET", "loom:1", "threads", "1200", "a-rather-long-field-name", "value ".repeat(40));
        for (String view : List.of("terminal", "keys", "live", "learn")) {
            browser.size(360, 740, true);
            open(view);
            browser.await("document.documentElement.dataset.theme === 'dark'");
            browser.await("document.querySelector('#status-text').textContent.includes('/s')");
            browser.shot(view + "-360-dark");
            assertThat(browser.eval("document.documentElement.scrollWidth").getAsInt())
                    .isLessThanOrEqualTo(360);
            assertThat(browser.eval("[...document.querySelectorAll('main, .view:not([hidden])')]"
                                    + ".every(e => e.scrollWidth <= 360)")
                            .getAsBoolean())
                    .as(view)
                    .isTrue();
        }
        open("keys");
        browser.click(".folder");
        choose("loom:1");
        browser.await("document.querySelector('.items tbody').textContent.includes('1200')");
        browser.shot("key-360-dark");
    }

    @Test
    void textHasEnoughContrast() {
        for (boolean dark : new boolean[] {false, true}) {
            browser.size(1200, 800, dark);
            open("terminal");
            browser.await("document.documentElement.dataset.theme === '" + (dark ? "dark" : "light") + "'");
            for (String text :
                    List.of("--text", "--dim", "--accent", "--good", "--bad", "--warn", "--string", "--number")) {
                for (String ground : List.of("--bg", "--panel", "--sunken")) {
                    assertThat(browser.eval(contrast(text, ground)).getAsDouble())
                            .as(text + " on " + ground + (dark ? ", dark" : ", light"))
                            .isGreaterThanOrEqualTo(4.5);
                }
            }
        }
    }

    /** The contrast of two of the page's colours, as WCAG defines it. */
    private static String contrast(String one, String other) {
        return "(() => { const lum = (name) => {"
                + " const hex = getComputedStyle(document.documentElement).getPropertyValue(name).trim().slice(1);"
                + " const [r, g, b] = [0, 2, 4].map(i => parseInt(hex.slice(i, i + 2), 16) / 255)"
                + ".map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);"
                + " return 0.2126 * r + 0.7152 * g + 0.0722 * b; };"
                + " const [a, b] = [lum('" + one + "'), lum('" + other + "')].sort((x, y) => y - x);"
                + " return (a + 0.05) / (b + 0.05); })()";
    }

    @Test
    void aPasswordAsksForALogin() throws IOException {
        client.call("CONFIG", "SET", "requirepass", "weft");
        try {
            browser.go("about:blank");
            browser.go(url + "/");
            browser.fill("#field-password", "wrong");
            browser.click("dialog[open] [type=submit]");
            browser.await("document.querySelector('dialog[open]')?.textContent.includes('WRONGPASS')");
            browser.shot("login");
            browser.fill("#field-password", "weft");
            browser.click("dialog[open] [type=submit]");
            browser.await("!document.querySelector('#logout').hidden");
            run("PING");
            awaitOutput("PONG");
            browser.click("#logout");
            browser.await("!!document.querySelector('#field-password')");
        } finally {
            client.call("CONFIG", "SET", "requirepass", "");
        }
        browser.complaints(); // the browser reports the refused login
    }
}
