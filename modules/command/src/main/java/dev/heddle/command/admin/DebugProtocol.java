package dev.heddle.command.admin;

import dev.heddle.command.Call;
import dev.heddle.command.CommandException;
import dev.heddle.resp.ReplyWriter;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** DEBUG PROTOCOL: one reply of each type, for those who write clients. Stateless. */
final class DebugProtocol {

    private static final CommandException UNKNOWN = CommandException.err(
            "Wrong protocol type name. Please use one of the following: string|integer|double|bignum|null|array|set|map|attrib|push|verbatim|true|false");

    private DebugProtocol() {}

    /** {@code DEBUG PROTOCOL type} */
    static void run(Call call) {
        ReplyWriter reply = call.reply();
        switch (call.text(2).toLowerCase(Locale.ROOT)) {
            case "string" -> reply.bulk("Hello World");
            case "integer" -> reply.integer(12345);
            case "double" -> reply.real(3.141);
            case "bignum" -> reply.bigNumber("1234567999999999999999999999999999999");
            case "null" -> reply.nil();
            case "array" -> {
                reply.array(3);
                numbers(reply);
            }
            case "set" -> {
                reply.set(3);
                numbers(reply);
            }
            case "map" -> map(reply);
            case "attrib" -> attribute(reply);
            case "push" -> push(reply);
            case "verbatim" -> reply.verbatim("txt", "This is a verbatim\nstring".getBytes(StandardCharsets.US_ASCII));
            case "true" -> reply.bool(true);
            case "false" -> reply.bool(false);
            default -> throw UNKNOWN;
        }
    }

    private static void numbers(ReplyWriter reply) {
        for (int i = 0; i < 3; i++) {
            reply.integer(i);
        }
    }

    private static void map(ReplyWriter reply) {
        reply.map(3);
        for (int i = 0; i < 3; i++) {
            reply.integer(i);
            reply.bool(i == 1);
        }
    }

    /** An attribute stands before a reply and is none itself. */
    private static void attribute(ReplyWriter reply) {
        if (reply.protocol() == 3) {
            reply.raw("|1\r\n".getBytes(StandardCharsets.US_ASCII));
            reply.bulk("key-popularity");
            reply.array(2);
            reply.bulk("key:123");
            reply.integer(90);
        }
        reply.bulk("Some real reply following the attribute");
    }

    private static void push(ReplyWriter reply) {
        if (reply.protocol() == 2) {
            throw CommandException.err("RESP2 is not supported by this command");
        }
        reply.push(2);
        reply.bulk("server-cpu-usage");
        reply.integer(42);
        reply.bulk("Some real reply following the push reply");
    }
}
