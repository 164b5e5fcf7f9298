package dev.heddle.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PidFileTest {

    @Test
    void theFileLivesAsLongAsTheServer(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("heddle.pid"), "an older and longer content");

        try (PidFile pidFile = PidFile.write(file, 4711)) {
            assertThat(pidFile).isNotNull();
            assertThat(file).hasContent("4711\n");
        }

        assertThat(file).doesNotExist();
    }
}
