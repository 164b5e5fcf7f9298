package dev.heddle.persistence.snapshot;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A snapshot was written, for the JDK's flight recorder. Confined to the thread that makes it. */
@Name("dev.heddle.Snapshot")
@Label("Snapshot")
@Description("A snapshot file, or the base of the append-only file, was written")
@Category("Heddle")
@StackTrace(false)
@SuppressWarnings("UnusedVariable") // the flight recorder reads the fields
final class SnapshotEvent extends Event {

    @Label("Keys")
    private long keys;

    @Label("Peak of Waiting Bytes")
    @DataAmount
    private long peak;

    @Label("Complete")
    private boolean complete;

    void end(long keyCount, long peakBytes, boolean success) {
        end();
        keys = keyCount;
        peak = peakBytes;
        complete = success;
        commit();
    }
}
