package dev.heddle.command.data;

import static dev.heddle.command.Arity.atLeast;
import static dev.heddle.command.Flag.BLOCKING;
import static dev.heddle.command.Group.STREAM;

import dev.heddle.command.Call;
import dev.heddle.command.CommandTable;
import dev.heddle.command.KeySpec.Access;
import dev.heddle.command.Wait;
import dev.heddle.command.WaitKind;
import dev.heddle.resp.ReplyWriter;
import java.util.Map;

/** Reading several streams from given ids on, and waiting for more. Stateless. */
final class StreamReadCommands {

    private StreamReadCommands() {}

    static void declare(CommandTable.Builder t) {
        t.read("XREAD", atLeast(3), StreamReadCommands::read, BLOCKING)
                .halvedKeys("STREAMS", 1, Map.of("BLOCK", 1, "COUNT", 1, "GROUP", 2), Access.RO)
                .docs(
                        STREAM,
                        "5.0.0",
                        "O(log N + M) for each stream of N entries, of which M are answered",
                        "[COUNT count] [BLOCK milliseconds] STREAMS key [key ...] id [id ...]",
                        "Answers the entries of several streams behind given ones, or waits for some.");
        t.write("XREADGROUP", atLeast(6), StreamReadCommands::read, BLOCKING)
                .halvedKeys("STREAMS", 4, Map.of("BLOCK", 1, "COUNT", 1, "GROUP", 2), Access.RO)
                .docs(
                        STREAM,
                        "5.0.0",
                        "O(log N + M) for each stream of N entries, of which M are answered",
                        "GROUP group consumer [COUNT count] [BLOCK milliseconds] [NOACK]"
                                + " STREAMS key [key ...] id [id ...]",
                        "Gives a consumer of a group entries that no other has been given, or waits for some.");
    }

    /**
     * {@code XREAD [COUNT count] [BLOCK milliseconds] STREAMS key [key ...] id [id ...]}, {@code XREADGROUP GROUP group consumer ...
     * [NOACK] ...}
     */
    private static void read(Call call) {
        StreamReadOptions options = StreamReadOptions.parse(call);
        StreamRead read = StreamRead.begin(call, options);
        if (options.blocks()) {
            call.tryOrWait(new Wait(
                    WaitKind.STREAM,
                    options.firstKey(),
                    options.streams(),
                    false,
                    options.timeoutMillis(),
                    read,
                    ReplyWriter::nilArray));
        } else if (!read.run(call)) {
            call.reply().nilArray();
        }
    }
}
