package dev.heddle.persistence.rdb;

import dev.heddle.command.CommandException;
import dev.heddle.command.ScriptHost;
import dev.heddle.command.config.Settings;
import dev.heddle.persistence.snapshot.Chunk;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What FUNCTION DUMP gives: libraries as a snapshot has them, with the footer of DUMP. Immutable, and so thread-safe. */
public final class FunctionPayload implements ScriptHost.Codec {

    private static final int FIRST_CHUNK = 1024;
    private static final CommandException WRONG = CommandException.err("DUMP payload version or checksum are wrong");
    private static final CommandException NO_FUNCTION = CommandException.err("given type is not a function");

    private final Settings settings;

    public FunctionPayload(Settings settings) {
        this.settings = settings;
    }

    @Override
    public byte[] pack(List<byte[]> sources) {
        Chunk chunk = new Chunk(0, FIRST_CHUNK);
        LzfEncoder lzf = settings.persistence.rdbCompression.value() ? new LzfEncoder(FIRST_CHUNK) : null;
        RdbOutput out = new RdbOutput(chunk, lzf);
        for (byte[] source : sources) {
            out.oneByte(RdbReader.FUNCTION);
            out.string(source);
        }
        DumpPayload.close(out, chunk, ValueWriter.VERSION);
        return Arrays.copyOf(chunk.array(), chunk.size());
    }

    @Override
    public List<byte[]> unpack(byte[] packed) {
        if (!DumpPayload.isValid(packed, 0, packed.length)) {
            throw WRONG;
        }
        RdbInput in = new RdbInput(packed, 0, packed.length - DumpPayload.FOOTER_BYTES);
        List<byte[]> sources = new ArrayList<>();
        try {
            while (in.remaining() > 0) {
                if (in.unsignedByte() != RdbReader.FUNCTION) {
                    throw NO_FUNCTION;
                }
                sources.add(in.string());
            }
        } catch (IOException damaged) {
            throw CommandException.err("failed loading functions data");
        }
        return sources;
    }
}
