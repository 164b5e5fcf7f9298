package dev.heddle.command;

import dev.heddle.command.PubSub.Kind;
import dev.heddle.resp.ReplyWriter;
import org.jspecify.annotations.Nullable;

/** What a client hears of each channel that it subscribes to or unsubscribes from. Stateless. */
final class Acknowledgement {

    private Acknowledgement() {}

    /**
     * @param name null if everything was unsubscribed from and there was nothing
     * @param count what is left
     */
    static void write(ReplyWriter reply, Kind kind, boolean subscribed, byte @Nullable [] name, int count) {
        reply.push(3);
        reply.bulk(kind.acknowledgement(subscribed));
        if (name == null) {
            reply.nil();
        } else {
            reply.bulk(name);
        }
        reply.integer(count);
    }

    static byte[] encode(int protocol, Kind kind, boolean subscribed, byte @Nullable [] name, int count) {
        ReplyWriter writer = new ReplyWriter();
        writer.protocol(protocol);
        write(writer, kind, subscribed, name, count);
        return writer.toByteArray();
    }
}
