package dev.heddle.command.data;

import static dev.heddle.command.Arity.atLeast;
import static dev.heddle.command.Flag.DENYOOM;
import static dev.heddle.command.Flag.FAST;
import static dev.heddle.command.Group.BITMAP;

import dev.heddle.command.Call;
import dev.heddle.command.CommandException;
import dev.heddle.command.CommandTable;
import dev.heddle.command.EventClass;
import dev.heddle.command.KeySpec.Access;
import dev.heddle.resp.Request;
import dev.heddle.store.Entry;
import dev.heddle.store.value.GrowableString;
import java.util.List;

/** Strings as records of numbers of any width. Stateless. */
public final class BitFieldCommands {

    private static final byte[] EMPTY = {};

    private BitFieldCommands() {}

    public static void declare(CommandTable.Builder t) {
        t.write("BITFIELD", atLeast(1), BitFieldCommands::bitField, DENYOOM)
                .key(Access.RW_VARIABLE)
                .access(BitFieldCommands::accessOfBitField)
                .docs(
                        BITMAP,
                        "3.2.0",
                        "O(1) for each operation",
                        "key [GET encoding offset | [OVERFLOW <WRAP | SAT | FAIL>] <SET encoding offset value:integer"
                                + " | INCRBY encoding offset increment> [GET encoding offset"
                                + " | [OVERFLOW <WRAP | SAT | FAIL>] <SET encoding offset value:integer"
                                + " | INCRBY encoding offset increment> ...]]",
                        "Reads and changes numbers of any width within a string.");
        t.read("BITFIELD_RO", atLeast(1), BitFieldCommands::bitFieldRo, FAST)
                .key(Access.RO)
                .docs(
                        BITMAP,
                        "6.0.0",
                        "O(1) for each operation",
                        "key [GET encoding offset [GET encoding offset ...]]",
                        "Reads numbers of any width within a string.");
    }

    /** What BITFIELD does to its key: nothing but read if it only gets. */
    private static Access accessOfBitField(Request request) {
        for (int i = 2; i < request.count(); i++) {
            if (request.is(i, "SET") || request.is(i, "INCRBY")) {
                return Access.RW_ACCESS;
            }
        }
        return Access.RO;
    }

    /** {@code BITFIELD key [GET encoding offset | SET encoding offset value | INCRBY ... | OVERFLOW ...] ...} */
    private static void bitField(Call call) {
        List<BitField> fields = BitField.parse(call);
        long end = writtenEnd(fields);
        if (end < 0) {
            read(call, fields);
        } else {
            write(call, fields, (int) (end >>> 3) + 1);
        }
    }

    /** {@code BITFIELD_RO key [GET encoding offset ...]} */
    private static void bitFieldRo(Call call) {
        List<BitField> fields = BitField.parse(call);
        if (writtenEnd(fields) >= 0) {
            throw CommandException.err("BITFIELD_RO only supports the GET subcommand");
        }
        read(call, fields);
    }

    /** The last bit that may be written, or -1 if none is. */
    private static long writtenEnd(List<BitField> fields) {
        long end = -1;
        for (BitField field : fields) {
            end = field.writes() ? Math.max(end, field.lastBit()) : end;
        }
        return end;
    }

    private static void read(Call call, List<BitField> fields) {
        Object value = StringValues.valueOf(call.find(1));
        byte[] array = value == null ? EMPTY : StringValues.array(value);
        int length = value == null ? 0 : StringValues.length(value);
        call.reply().array(fields.size());
        for (BitField field : fields) {
            call.reply().integer(field.read(array, length));
        }
    }

    private static void write(Call call, List<BitField> fields, int length) {
        Entry entry = call.findForWrite(1);
        Object value = StringValues.valueOf(entry);
        boolean grows = value == null || StringValues.length(value) < length;
        GrowableString string = StringValues.growable(call, 1, entry, length);
        int changes = 0;
        call.reply().array(fields.size());
        for (BitField field : fields) {
            long old = field.read(string.array(), string.length());
            BitField.Outcome outcome = field.apply(old);
            if (outcome.failed()) {
                call.reply().nil();
                continue;
            }
            call.reply().integer(outcome.answer());
            if (field.writes()) {
                Bits.field(string.array(), field.offset(), field.width(), outcome.value());
                changes += grows || outcome.value() != old ? 1 : 0;
            }
        }
        if (changes > 0) {
            call.changed(1, EventClass.STRING, "setbit");
            call.countChanges(changes - 1L);
        } else if (grows) {
            // Every operation failed, but the string is longer now, as in Redis: that has to be recorded, though nobody
            // is told.
            call.countChanges(1);
        }
    }
}
