package dev.heddle.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.command.admin.MonitorCommand;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Where MONITOR says that commands come from. */
class MonitorsTest {

    private final TestServer server = new TestServer(table -> {
        MonitorCommand.declare(table);
        TransactionCommands.declare(table);
    });
    private final TestServer.Client monitor = server.connect();

    private String lines() {
        monitor.session().outbox().drainTo(monitor.session().reply());
        byte[] lines = monitor.session().reply().toByteArray();
        monitor.session().reply().clear();
        return new String(lines, StandardCharsets.ISO_8859_1);
    }

    @Test
    void unixSocketsAreCalledByTheirPath() {
        monitor.run("MONITOR");
        server.connect("/run/heddle.sock:0").run("SET", "k", "v");
        assertThat(lines()).isEqualTo("+1700000000.000000 [0 unix:/run/heddle.sock] \"SET\" \"k\" \"v\"\r\n");
    }

    @Test
    void addressesOfVersion6HaveBrackets() {
        monitor.run("MONITOR");
        server.connect("[::1]:50001").run("SET", "k", "v");
        assertThat(lines()).isEqualTo("+1700000000.000000 [0 [::1]:50001] \"SET\" \"k\" \"v\"\r\n");
    }

    @Test
    void whatAScriptCallsComesFromLua() {
        monitor.run("MONITOR");
        TestServer.Client client = server.connect();
        client.run("MULTI");
        client.run("SET", "k", "v");
        client.session().runsScript(true);
        client.run("EXEC");
        assertThat(lines())
                .endsWith("+1700000000.000000 [0 lua] \"SET\" \"k\" \"v\"\r\n"
                        + "+1700000000.000000 [0 127.0.0.1:50000] \"EXEC\"\r\n");
    }

    @Test
    void nobodyPaysWhileNobodyMonitors() {
        assertThat(server.engine().monitors().any()).isFalse();
        monitor.run("MONITOR");
        assertThat(server.engine().monitors().any()).isTrue();
        monitor.session().close();
        assertThat(server.engine().monitors().any()).isFalse();
    }
}
