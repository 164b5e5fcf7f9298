package dev.heddle.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Whatever a command writes is there again after the process has been killed: for every command that writes. */
class WriteCommandsSurviveIT {

    private final WriteExamples examples = new WriteExamples();

    @Test
    void everyCommandThatWritesSurvivesAKill() {
        Path folder = RunningServer.newFolder("survive");
        int port = RunningServer.freePort();
        String[] directives = {"--appendonly", "yes", "--appendfsync", "always"};
        Map<String, String> before;
        try (RunningServer server = HeddleServer.restart(folder, port, directives);
                RawClient client = server.connect()) {
            Set<String> writing = WriteExamples.writeCommandsOf(client);
            assertThat(examples.missing(writing))
                    .as("commands that write and have no example in write-commands.txt")
                    .isEmpty();
            examples.run(client, writing);
            before = DataDump.of(server);
            server.kill();
        }
        assertThat(before).hasSizeGreaterThan(80);
        try (RunningServer server = HeddleServer.restart(folder, port, directives)) {
            assertThat(DataDump.differences(before, DataDump.of(server))).isEmpty();
        }
    }
}
