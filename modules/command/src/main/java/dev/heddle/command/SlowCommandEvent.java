package dev.heddle.command;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** A command that went into the slow log, for the JDK's flight recorder. Confined to the thread that makes it. */
@Name("dev.heddle.SlowCommand")
@Label("Slow Command")
@Description("A command that took at least as long as slowlog-log-slower-than says; the event stands at its end")
@Category("Heddle")
@StackTrace(false)
@SuppressWarnings("UnusedVariable") // the flight recorder reads the fields
final class SlowCommandEvent extends Event {

    @Label("Command")
    private final String command;

    @Label("Client")
    private final String client;

    @Label("Run Time")
    @Timespan(Timespan.NANOSECONDS)
    private final long runTime;

    @Label("Request Size")
    @DataAmount
    private final long requestSize;

    SlowCommandEvent(Call call, long nanos) {
        this.command = call.spec().fullName();
        this.client = call.session().connection().remoteAddress();
        this.runTime = nanos;
        this.requestSize = call.request().wireBytes();
    }
}
