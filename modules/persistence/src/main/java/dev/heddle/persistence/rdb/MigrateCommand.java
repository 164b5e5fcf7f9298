package dev.heddle.persistence.rdb;

import static dev.heddle.command.Arity.atLeast;
import static dev.heddle.command.Group.GENERIC;

import dev.heddle.command.AclCategory;
import dev.heddle.command.Call;
import dev.heddle.command.CommandException;
import dev.heddle.command.CommandTable;
import dev.heddle.command.EventClass;
import dev.heddle.command.KeySpec.Access;
import dev.heddle.resp.Numbers;
import dev.heddle.store.Entry;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** MIGRATE: keys go to another server. Stateless. */
public final class MigrateCommand {

    /*
     * Redis stands still while it migrates. Here other connections go on, and no lock may be held while this one waits for the network.
     * So there are three steps: under the locks of all keys their values are written into payloads; without any lock these are sent, and
     * the answers awaited; under the locks again every key that the target has taken is deleted, if it is still what was sent.
     *
     * A key that has changed meanwhile stays: deleting it would lose the change, and holding writers up would be the standstill. The caller is
     * told, and may migrate it again with REPLACE. Whether it has changed is found out by writing its payload again: values
     * change in place, so that identity tells nothing, and a version in every entry would be paid for by all who never migrate.
     *
     * Inside of a transaction or script all locks are held, hence it is refused there.
     */

    private static final int FIRST_OPTION = 6;
    private static final long DEFAULT_TIMEOUT = 1000;

    private static final CommandException NESTED =
            CommandException.err("MIGRATE is not possible inside of a transaction or script");
    private static final CommandException KEY_AND_KEYS =
            CommandException.err("When using MIGRATE KEYS option, the key argument must be set to the empty string");
    private static final CommandException NO_CONNECTION =
            new CommandException("IOERR error or timeout connecting to the client");
    private static final CommandException CANNOT_WRITE =
            new CommandException("IOERR error or timeout writing to target instance");
    private static final CommandException CANNOT_READ =
            new CommandException("IOERR error or timeout reading to target instance");

    private MigrateCommand() {}

    public static void declare(CommandTable.Builder t) {
        t.write("MIGRATE", atLeast(5), MigrateCommand::migrate)
                .keys(3, 3, 1, Access.RW_POP)
                .keysAfter("KEYS", FIRST_OPTION, Access.RW_POP_INCOMPLETE)
                .locksItself()
                .categories(AclCategory.KEYSPACE, AclCategory.DANGEROUS)
                .tips("nondeterministic_output")
                .docs(
                        GENERIC,
                        "2.6.0",
                        "O(N) for values of N bytes in all",
                        "host port <key | \"\"> destination-db timeout [COPY] [REPLACE]"
                                + " [AUTH password | AUTH2 username password] [KEYS key [key ...]]",
                        "Moves keys to another server.");
    }

    /**
     * {@code MIGRATE host port <key | ""> destination-db timeout [COPY] [REPLACE] [AUTH password | AUTH2 username password]
     * [KEYS key [key ...]]}
     */
    private static void migrate(Call call) {
        Options options = Options.of(call);
        long timeout = call.longArg(5);
        long database = call.longArg(4);
        if (call.isNested()) {
            throw NESTED;
        }
        List<Outgoing> outgoing = pack(call, options);
        if (outgoing.isEmpty()) {
            call.reply().simple("NOKEY");
            return;
        }
        Transfer transfer = new Transfer(options, database, outgoing);
        try (MigrateTarget target = connect(call, timeout)) {
            transfer.run(target);
        }
        CommandException failure = transfer.failure;
        if (!options.copies && outgoing.stream().anyMatch(key -> key.taken)) {
            int kept = removeTaken(call, outgoing);
            if (kept > 0 && failure == null) {
                failure = CommandException.err(
                        kept + " of " + outgoing.size()
                                + " keys changed while they were sent: they are still here, the target has what they were before");
            }
        }
        if (failure == null) {
            call.reply().ok();
        } else {
            call.reply().error(failure.text()); // not thrown: what was deleted must be recorded
        }
    }

    private static MigrateTarget connect(Call call, long timeout) {
        int millis = (int) Math.min(timeout <= 0 ? DEFAULT_TIMEOUT : timeout, Integer.MAX_VALUE);
        try {
            return MigrateTarget.connect(call.text(1), port(call), millis);
        } catch (UnknownHostException | SocketTimeoutException | IllegalArgumentException unreachable) {
            throw NO_CONNECTION;
        } catch (IOException refused) {
            throw CANNOT_WRITE; // Redis notices no sooner
        }
    }

    /**
     * As C takes it: 0 if it is no number, and the low 16 bits.
     *
     * @throws IllegalArgumentException if it is negative
     */
    private static int port(Call call) {
        byte[] digits = call.arg(2);
        long port = Numbers.isLong(digits, 0, digits.length) ? Numbers.parseLong(digits, 0, digits.length) : 0;
        if (port < 0) {
            throw new IllegalArgumentException("negative");
        }
        return (int) (port & 0xffff);
    }

    /** Writes the keys that are there into payloads. */
    private static List<Outgoing> pack(Call call, Options options) {
        List<Outgoing> outgoing = new ArrayList<>();
        for (int i = options.firstKey; i < options.endOfKeys; i++) {
            call.locks().want(call.hash(i));
        }
        call.locks().lockWanted(true);
        for (int i = options.firstKey; i < options.endOfKeys; i++) {
            Entry entry = call.look(i);
            if (entry != null) {
                byte[] payload = DumpPayload.of(entry.value(), call.engine().settings());
                outgoing.add(new Outgoing(i, call.arg(i), payload, entry.expireAt(), ttl(call, entry)));
            }
        }
        call.locks().unlock();
        return outgoing;
    }

    private static long ttl(Call call, Entry entry) {
        return entry.expireAt() == Entry.NEVER ? 0 : Math.max(1, entry.expireAt() - call.now());
    }

    /** Deletes what the target has taken; the locks stay with the call, so that it is recorded under them. @return how many keys stay */
    private static int removeTaken(Call call, List<Outgoing> outgoing) {
        for (Outgoing key : outgoing) {
            if (key.taken) {
                call.locks().want(call.hash(key.index));
            }
        }
        call.locks().lockWanted(true);
        int kept = 0;
        List<byte[]> gone = new ArrayList<>();
        for (Outgoing key : outgoing) {
            Entry entry = key.taken ? call.peek(key.index) : null;
            if (entry == null) {
                continue;
            }
            if (isUnchanged(call, entry, key)) {
                call.remove(key.index, entry);
                call.changed(key.index, EventClass.GENERIC, "del");
                gone.add(key.key);
            } else {
                kept++;
            }
        }
        if (!gone.isEmpty() && call.recorded()) {
            call.effect("DEL", gone.toArray(byte[][]::new));
        }
        return kept;
    }

    private static boolean isUnchanged(Call call, Entry entry, Outgoing key) {
        return entry.expireAt() == key.expireAt
                && Arrays.equals(DumpPayload.of(entry.value(), call.engine().settings()), key.payload);
    }

    /** A key on its way. Confined to the call's thread. */
    private static final class Outgoing {
        final int index;
        final byte[] key;
        final byte[] payload;
        final long expireAt;
        final long ttl;
        /** Whether the target has said that it has it. */
        boolean taken;

        Outgoing(int index, byte[] key, byte[] payload, long expireAt, long ttl) {
            this.index = index;
            this.key = key;
            this.payload = payload;
            this.expireAt = expireAt;
            this.ttl = ttl;
        }
    }

    /** What is said to the target, and what it answers. Confined to the call's thread. */
    private static final class Transfer {
        private final Options options;
        private final long database;
        private final List<Outgoing> outgoing;

        /** What the caller will be told; null if all went well. */
        @Nullable
        CommandException failure;

        Transfer(Options options, long database, List<Outgoing> outgoing) {
            this.options = options;
            this.database = database;
            this.outgoing = outgoing;
        }

        void run(MigrateTarget target) {
            try {
                send(target);
            } catch (IOException e) {
                failure = CANNOT_WRITE;
                return;
            }
            try {
                receive(target);
            } catch (IOException e) {
                failure = CANNOT_READ;
            }
        }

        private void send(MigrateTarget target) throws IOException {
            if (!options.credentials.isEmpty()) {
                List<byte[]> words = new ArrayList<>(options.credentials);
                words.addFirst(ascii("AUTH"));
                target.command(words.toArray(byte[][]::new));
            }
            target.command(ascii("SELECT"), Numbers.toBytes(database));
            for (Outgoing key : outgoing) {
                byte[] ttl = Numbers.toBytes(key.ttl);
                if (options.replaces) {
                    target.command(ascii("RESTORE"), key.key, ttl, key.payload, ascii("REPLACE"));
                } else {
                    target.command(ascii("RESTORE"), key.key, ttl, key.payload);
                }
            }
            target.flush();
        }

        /** The first error is told. Without the right password or database no key counts, whatever is answered for it. */
        private void receive(MigrateTarget target) throws IOException {
            boolean ready = options.credentials.isEmpty() || isOk(target.reply());
            ready = isOk(target.reply()) && ready;
            for (Outgoing key : outgoing) {
                key.taken = isOk(target.reply()) && ready;
            }
        }

        private boolean isOk(String reply) {
            boolean ok = reply.charAt(0) == '+';
            if (!ok && failure == null) {
                failure = CommandException.err("Target instance replied with error: " + reply.substring(1));
            }
            return ok;
        }

        private static byte[] ascii(String word) {
            return word.getBytes(StandardCharsets.US_ASCII);
        }
    }

    /**
     * What stands behind the timeout.
     *
     * @param credentials what follows AUTH; empty for none
     * @param firstKey index of the first key
     * @param endOfKeys index behind the last key
     */
    private record Options(boolean copies, boolean replaces, List<byte[]> credentials, int firstKey, int endOfKeys) {

        static Options of(Call call) {
            boolean copies = false;
            boolean replaces = false;
            List<byte[]> credentials = List.of();
            for (int i = FIRST_OPTION; i < call.argc(); i++) {
                int more = call.argc() - 1 - i;
                if (call.is(i, "COPY")) {
                    copies = true;
                } else if (call.is(i, "REPLACE")) {
                    replaces = true;
                } else if (call.is(i, "AUTH") && more >= 1) {
                    credentials = List.of(secret(call, ++i));
                } else if (call.is(i, "AUTH2") && more >= 2) {
                    credentials = List.of(secret(call, ++i), secret(call, ++i));
                } else if (call.is(i, "KEYS")) {
                    if (call.request().length(3) != 0) {
                        throw KEY_AND_KEYS;
                    }
                    return new Options(copies, replaces, credentials, i + 1, call.argc());
                } else {
                    throw CommandException.SYNTAX;
                }
            }
            return new Options(copies, replaces, credentials, 3, 4);
        }

        private static byte[] secret(Call call, int index) {
            call.redact(index);
            return call.arg(index);
        }
    }
}
