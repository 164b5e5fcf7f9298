package dev.heddle.persistence.rdb;

import dev.heddle.command.CommandException;
import dev.heddle.command.Engine;
import dev.heddle.persistence.aof.BaseLoader;
import dev.heddle.persistence.aof.CheckAof;
import dev.heddle.store.Entry;
import dev.heddle.store.Store;
import dev.heddle.store.StripeLocks;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.function.LongConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts snapshots into the store.
 *
 * <p>Thread-safe: what belongs to one load is confined to its thread.
 */
public final class RdbLoader implements BaseLoader {

    private static final Logger LOG = LoggerFactory.getLogger(RdbLoader.class);
    /** Empty keys that are logged one by one. */
    private static final int EMPTY_SHOWN = 10;

    private final Engine engine;

    public RdbLoader(Engine engine) {
        this.engine = engine;
    }

    /** What is done with keys and libraries of functions that are in the snapshot and in the server. */
    public enum Present {
        /** That is an error: nobody else puts keys there. */
        REFUSED,
        /** The one in the snapshot wins. */
        REPLACED
    }

    @Override
    public long load(Path file, LongConsumer progress) throws IOException {
        return load(file, new Filling(false, Present.REFUSED, progress));
    }

    /**
     * Reads a snapshot file into the store, without the keys that have expired.
     *
     * @param progress told now and then how many bytes have been read
     * @throws IOException with a message for the operator
     */
    public void loadFile(Path file, Present present, LongConsumer progress) throws IOException {
        load(file, new Filling(true, present, progress));
    }

    private long load(Path file, Filling filling) throws IOException {
        ValueReader values = new ValueReader(engine.settings().encoding, engine.random());
        boolean checks = engine.settings().persistence.rdbChecksum.value();
        try {
            long end = RdbReader.read(file, values, filling, checks);
            filling.report();
            return end;
        } catch (RdbException damaged) {
            throw new IOException(
                    "the snapshot " + file + " cannot be read, " + damaged.getMessage() + "; bin/heddle check-rdb "
                            + file + " tells more",
                    damaged);
        } catch (IOException failed) {
            throw new IOException("the snapshot " + file + " cannot be read: " + failed, failed);
        }
    }

    /** Checks the snapshot with which an append-only file begins. */
    public static CheckAof.SnapshotCheck check() {
        return CheckRdb::end;
    }

    /** Takes what one snapshot holds. Confined to one thread. */
    private final class Filling implements RdbSink {

        private final boolean dropsExpired;
        private final Present present;
        private final LongConsumer progress;
        private final Store store = engine.store();
        private final StripeLocks locks = new StripeLocks(store);
        private final long now = engine.clock().millis();
        private long loaded;
        private long expired;
        private long empty;

        Filling(boolean dropsExpired, Present present, LongConsumer progress) {
            this.dropsExpired = dropsExpired;
            this.present = present;
            this.progress = progress;
        }

        @Override
        public void property(byte[] name, byte[] value) {
            String shown = new String(value, StandardCharsets.UTF_8);
            switch (new String(name, StandardCharsets.UTF_8)) {
                case "redis-ver" -> LOG.info("loading a snapshot that version {} has written", shown);
                case "ctime" -> LOG.debug("it was written at {} (seconds since 1970)", shown);
                default -> LOG.debug("{}: {}", new String(name, StandardCharsets.UTF_8), shown);
            }
        }

        @Override
        public void entry(int database, byte[] key, Object value, long expireAt, Usage usage) throws IOException {
            if (database >= store.databases()) {
                throw new RdbException("it has keys in database " + database + ", but there are only "
                        + store.databases() + " here: see the directive databases");
            }
            if (dropsExpired && expireAt != Entry.NEVER && expireAt <= now) {
                expired++;
                return;
            }
            long hash = store.hash(key);
            locks.lock(hash, true);
            try {
                Entry there = store.find(database, key, 0, key.length, hash);
                if (there != null) {
                    if (present == Present.REFUSED) {
                        throw new RdbException("a key is there twice");
                    }
                    store.remove(database, there, hash);
                }
                Entry entry = store.add(database, key, hash, value, expireAt);
                engine.uses().enter(entry, now);
                engine.uses().restore(entry, usage.idleSeconds(), usage.frequency(), now);
            } finally {
                locks.unlock();
            }
            loaded++;
        }

        @Override
        public void function(byte[] source) throws RdbException {
            locks.wantAll();
            locks.lockWanted(true);
            try {
                engine.scripts().loadLibrary(source, present == Present.REPLACED);
            } catch (CommandException refused) {
                throw new RdbException("a library of functions cannot be loaded: " + refused.text());
            } finally {
                locks.unlock();
            }
        }

        @Override
        public void empty(int database, byte[] key) {
            empty++;
            if (empty <= EMPTY_SHOWN) {
                LOG.warn("passed over a key of database {} whose collection has no elements", database);
            }
        }

        @Override
        public void progress(long offset) {
            progress.accept(offset);
        }

        void report() {
            LOG.info(
                    "Done loading RDB, keys loaded: {}, keys expired: {}, empty keys skipped: {}.",
                    loaded,
                    expired,
                    empty);
        }
    }
}
