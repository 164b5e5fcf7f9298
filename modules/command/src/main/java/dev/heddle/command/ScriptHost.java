package dev.heddle.command;

import dev.heddle.command.config.Settings;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the rest of the server needs of scripts: a port, implemented by the package that runs them. Thread-safe. */
public interface ScriptHost {

    /** For a server without scripts. */
    ScriptHost NONE = new ScriptHost() {
        @Override
        public @Nullable String refusal(CommandSpec spec, Settings settings) {
            return null;
        }

        @Override
        public void end() {
            // nothing runs
        }

        @Override
        public int count() {
            return 0;
        }

        @Override
        public long bytes() {
            return 0;
        }

        @Override
        public int functionCount() {
            return 0;
        }

        @Override
        public List<byte[]> librarySources() {
            return List.of();
        }

        @Override
        public void loadLibrary(byte[] source, boolean replace) {
            throw CommandException.err("this server has no functions");
        }

        @Override
        public void forgetLibraries() {
            // there are none
        }

        @Override
        public void codec(Codec codec) {
            // nothing is ever packed
        }

        @Override
        public void denyNothing(boolean yes) {
            // nothing is ever denied
        }
    };

    /** How libraries of functions are packed for FUNCTION DUMP: a port, implemented by persistence, which knows the format. Thread-safe. */
    interface Codec {

        /** Packs the sources of libraries, with a checksum. */
        byte[] pack(List<byte[]> sources);

        /**
         * Unpacks them.
         *
         * @throws CommandException if the bytes are damaged
         */
        List<byte[]> unpack(byte[] packed);
    }

    /** Why a command cannot run now because a script takes long; null if nothing is in its way. */
    @Nullable
    String refusal(CommandSpec spec, Settings settings);

    /** The server ends: a script that runs ends, too, whatever it has written. */
    void end();

    /** How many scripts are known. */
    int count();

    /** Bytes that the known scripts take, roughly. */
    long bytes();

    /** How many functions all libraries have. */
    int functionCount();

    /** The sources of all libraries of functions. */
    List<byte[]> librarySources();

    /**
     * Loads a library. Needs all stripes exclusively.
     *
     * @param replace whether it may take the place of one of the same name
     * @throws CommandException if it makes no sense, or its name or that of a function is taken
     */
    void loadLibrary(byte[] source, boolean replace);

    /** Forgets all libraries. Needs all stripes exclusively. */
    void forgetLibraries();

    /** Sets how libraries are packed. */
    void codec(Codec codec);

    /** DEBUG SET-DISABLE-DENY-SCRIPTS: whether scripts may run commands that are otherwise kept from them. */
    void denyNothing(boolean yes);
}
