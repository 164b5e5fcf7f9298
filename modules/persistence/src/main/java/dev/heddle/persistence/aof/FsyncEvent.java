package dev.heddle.persistence.aof;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** The append-only file was forced to the disk, for the JDK's flight recorder. Confined to the thread that makes it. */
@Name("dev.heddle.Fsync")
@Label("Fsync")
@Description("The append-only file was forced to the disk")
@Category("Heddle")
@StackTrace(false)
@SuppressWarnings("UnusedVariable") // the flight recorder reads the fields
final class FsyncEvent extends Event {

    @Label("Forced Bytes")
    @Description("What had been written since the last time")
    @DataAmount
    private final long bytes;

    FsyncEvent(long bytes) {
        this.bytes = bytes;
    }
}
