package dev.heddle.command.data;

import dev.heddle.command.Call;
import dev.heddle.resp.Numbers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Records what happens to fields of the hash at key 1. Stateless. */
final class FieldEffects {

    private static final byte[] FIELDS = "FIELDS".getBytes(StandardCharsets.US_ASCII);

    private FieldEffects() {}

    /** Records that some arguments, which are fields, expire at a time: those from {@code from} to behind {@code to}, step by step. */
    static void expireAt(Call call, long at, int from, int to, int step) {
        List<byte[]> fields = new ArrayList<>();
        for (int i = from; i < to; i += step) {
            fields.add(call.arg(i));
        }
        expireAt(call, at, fields);
    }

    /** Records that fields expire at a time. */
    static void expireAt(Call call, long at, List<byte[]> fields) {
        List<byte[]> arguments = new ArrayList<>(fields.size() + 4);
        arguments.add(call.arg(1));
        arguments.add(Numbers.toBytes(at));
        counted(fields, arguments);
        call.effect("HPEXPIREAT", arguments.toArray(new byte[0][]));
    }

    /** Records that fields stay. */
    static void persist(Call call, List<byte[]> fields) {
        List<byte[]> arguments = new ArrayList<>(fields.size() + 3);
        arguments.add(call.arg(1));
        counted(fields, arguments);
        call.effect("HPERSIST", arguments.toArray(new byte[0][]));
    }

    /** Records that fields are gone. */
    static void delete(Call call, List<byte[]> fields) {
        List<byte[]> arguments = new ArrayList<>(fields.size() + 1);
        arguments.add(call.arg(1));
        arguments.addAll(fields);
        call.effect("HDEL", arguments.toArray(new byte[0][]));
    }

    private static void counted(List<byte[]> fields, List<byte[]> arguments) {
        arguments.add(FIELDS);
        arguments.add(Numbers.toBytes(fields.size()));
        arguments.addAll(fields);
    }
}
