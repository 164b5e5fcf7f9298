package dev.heddle.persistence.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The JDK's flight recorder sees snapshots. */
class FlightRecorderTest {

    @Test
    void aSnapshotIsAnEventWithItsFigures(@TempDir Path folder) throws Exception {
        try (Recording recording = new Recording()) {
            recording.enable("dev.heddle.Snapshot");
            recording.start();
            SnapshotEvent event = new SnapshotEvent();
            event.begin();
            event.end(7, 1024, true);
            recording.stop();
            Path file = folder.resolve("events.jfr");
            recording.dump(file);

            List<RecordedEvent> events = RecordingFile.readAllEvents(file);
            assertThat(events).hasSize(1);
            assertThat(events.getFirst().getLong("keys")).isEqualTo(7);
            assertThat(events.getFirst().getBoolean("complete")).isTrue();
        }
    }
}
