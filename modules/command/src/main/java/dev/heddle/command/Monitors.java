package dev.heddle.command;

import dev.heddle.command.Session.ReplyMode;
import dev.heddle.resp.Request;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The sessions that see everybody's commands.
 *
 * <p>Thread-safe. Commands are told under the locks of their keys, so that those on one key come in the order in which they ran.
 */
public final class Monitors {

    private static final HexFormat HEX = HexFormat.of();

    private final Engine engine;
    private final ReentrantLock lock = new ReentrantLock();
    /** Replaced as a whole under the lock; null while there are none. */
    private volatile Session @Nullable [] sessions;

    Monitors(Engine engine) {
        this.engine = engine;
    }

    /** MONITOR. */
    public void add(Session session) {
        lock.lock();
        try {
            Session[] old = sessions;
            Session[] more = old == null ? new Session[1] : Arrays.copyOf(old, old.length + 1);
            more[more.length - 1] = session;
            sessions = more;
            session.interests().monitoring(true);
        } finally {
            lock.unlock();
        }
    }

    /** RESET, or the session's end. */
    void remove(Session session) {
        lock.lock();
        try {
            Session[] old = sessions;
            if (old != null) {
                List<Session> rest = new ArrayList<>(List.of(old));
                rest.remove(session);
                sessions = rest.isEmpty() ? null : rest.toArray(new Session[0]);
            }
            session.interests().monitoring(false);
        } finally {
            lock.unlock();
        }
    }

    /** Whether anybody monitors: a single field read. */
    boolean any() {
        return sessions != null;
    }

    /** Tells of a command that has run. */
    void tell(Call call) {
        Session[] current = sessions;
        CommandSpec spec = call.spec();
        if (current == null || spec.has(Flag.ADMIN) || spec.has(Flag.SKIP_MONITOR)) {
            return;
        }
        byte[] line = line(call);
        for (Session session : current) {
            if (session.replyMode() == ReplyMode.ON) {
                session.outbox().add(line);
            }
        }
    }

    private byte[] line(Call call) {
        Instant now = engine.clock().instant();
        Request request = call.request();
        ByteArrayOutputStream line = new ByteArrayOutputStream(64 + (int) Math.min(1 << 20, request.wireBytes()));
        line.writeBytes(ascii(String.format(
                Locale.ROOT,
                "+%d.%06d [%d %s]",
                now.getEpochSecond(),
                now.getNano() / 1000,
                call.database(),
                from(call))));
        for (int i = 0; i < request.count(); i++) {
            line.write(' ');
            if (call.isRedacted(i)) {
                line.writeBytes(ascii("\"(redacted)\""));
            } else {
                quote(request.array(i), request.offset(i), request.length(i), line);
            }
        }
        line.write('\r');
        line.write('\n');
        return line.toByteArray();
    }

    private static String from(Call call) {
        Session session = call.session();
        if (session.runsScript() && call.isNested()) {
            return "lua";
        }
        String address = session.connection().remoteAddress();
        return address.startsWith("/") ? "unix:" + address.substring(0, address.lastIndexOf(':')) : address;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static void quote(byte[] array, int offset, int length, ByteArrayOutputStream to) {
        to.write('"');
        for (int i = offset; i < offset + length; i++) {
            byte b = array[i];
            switch (b) {
                case '\\', '"' -> {
                    to.write('\\');
                    to.write(b);
                }
                case '\n' -> to.writeBytes(ascii("\\n"));
                case '\r' -> to.writeBytes(ascii("\\r"));
                case '\t' -> to.writeBytes(ascii("\\t"));
                case 7 -> to.writeBytes(ascii("\\a"));
                case '\b' -> to.writeBytes(ascii("\\b"));
                default -> {
                    if (b >= ' ' && b <= '~') {
                        to.write(b);
                    } else {
                        to.writeBytes(ascii("\\x" + HEX.toHexDigits(b)));
                    }
                }
            }
        }
        to.write('"');
    }
}
