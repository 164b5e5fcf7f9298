package dev.heddle.command.admin;

import dev.heddle.command.Call;
import dev.heddle.command.CommandSpec;
import dev.heddle.command.Connection;
import dev.heddle.command.Interests;
import dev.heddle.command.PubSub.Kind;
import dev.heddle.command.Session;
import dev.heddle.command.TrackingMode;
import dev.heddle.resp.Request;
import java.nio.charset.StandardCharsets;

/** A session as CLIENT LIST shows it. Stateless: reads what a session offers to other threads. */
final class ClientInfo {

    /** What a client's output is divided into: as much as this counts as the buffer, the rest as the list behind it. */
    private static final int CHUNK = 16 * 1024;

    private ClientInfo() {}

    /** A line without its end, in the field order of Redis 7.2. */
    static String line(Session session, Call call) {
        Connection connection = session.connection();
        boolean self = session.id() == call.session().id();
        long inputUsed = connection.inputUsed() + (self ? call.request().wireBytes() : 0);
        long argumentBytes = self ? argumentBytes(call.request()) : 0;
        long outputBytes = session.reply().size();
        long inChunk = Math.min(outputBytes, CHUNK);
        long outside = outputBytes - inChunk;
        Interests interests = session.interests();
        TrackingMode tracking = interests.tracking();
        long outputRoom = session.reply().capacity();
        CommandSpec command = session.lastCommand();
        return "id=" + session.id()
                + " addr=" + connection.remoteAddress()
                + " laddr=" + connection.localAddress()
                + " fd=" + connection.descriptor()
                + " name=" + name(session)
                + " age=" + seconds(call.now() - session.createdMillis())
                + " idle=" + seconds(call.now() - session.lastUsedMillis())
                + " flags=" + flags(session)
                + " db=" + session.database()
                + " sub=" + interests.count(Kind.CHANNEL)
                + " psub=" + interests.count(Kind.PATTERN)
                + " ssub=" + interests.count(Kind.SHARD)
                + " multi=" + session.queuedCommands()
                + " qbuf=" + inputUsed
                + " qbuf-free=" + connection.inputFree()
                + " argv-mem=" + argumentBytes
                + " multi-mem=" + session.queuedBytes()
                + " rbs=" + outputRoom
                + " rbp=" + outputRoom
                + " obl=" + inChunk
                + " oll=" + (session.outbox().count() + (outside + CHUNK - 1) / CHUNK)
                + " omem=" + (session.outbox().bytes() + outside)
                + " tot-mem=" + session.memory()
                + " events=r"
                + " cmd=" + (command == null ? "NULL" : command.fullName())
                + " user=" + session.user()
                + " redir=" + (tracking == null ? -1 : tracking.options().redirect())
                + " resp=" + session.protocol()
                + " lib-name=" + session.libraryName()
                + " lib-ver=" + session.libraryVersion();
    }

    private static String name(Session session) {
        byte[] name = session.name();
        return name == null ? "" : new String(name, StandardCharsets.ISO_8859_1);
    }

    private static String flags(Session session) {
        StringBuilder flags = new StringBuilder();
        TrackingMode tracking = session.interests().tracking();
        if (session.interests().isMonitoring()) {
            flags.append('O');
        }
        if (session.interests().isSubscribed()) {
            flags.append('P');
        }
        if (session.inTransaction()) {
            flags.append('x');
        }
        if (session.waiting()) {
            flags.append('b');
        }
        if (tracking != null) {
            flags.append('t');
            flags.append(tracking.brokenRedirect() ? "R" : "");
            flags.append(tracking.options().broadcast() ? "B" : "");
        }
        if (session.watchTouched()) {
            flags.append('d');
        }
        if (session.closing()) {
            flags.append('c');
        }
        if (session.connection().remoteAddress().startsWith("/")) {
            flags.append('U');
        }
        if (session.noEvict()) {
            flags.append('e');
        }
        if (session.noTouch()) {
            flags.append('T');
        }
        return flags.isEmpty() ? "N" : flags.toString();
    }

    private static long argumentBytes(Request request) {
        long sum = 0;
        for (int i = 0; i < request.count(); i++) {
            sum += request.length(i);
        }
        return sum;
    }

    private static long seconds(long millis) {
        return Math.max(0, millis / 1000);
    }
}
