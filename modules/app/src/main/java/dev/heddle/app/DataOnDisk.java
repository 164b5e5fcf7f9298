package dev.heddle.app;

import dev.heddle.command.Engine;
import dev.heddle.command.LoadProgress;
import dev.heddle.command.Persistence.Ending;
import dev.heddle.command.config.ConfigException;
import dev.heddle.command.config.PersistenceSettings;
import dev.heddle.persistence.aof.AofLog;
import dev.heddle.persistence.rdb.FunctionPayload;
import dev.heddle.persistence.rdb.RdbFormat;
import dev.heddle.persistence.rdb.RdbLoader;
import dev.heddle.persistence.rdb.RdbLoader.Present;
import dev.heddle.persistence.snapshot.SnapshotReader;
import dev.heddle.persistence.snapshot.SnapshotService;
import dev.heddle.store.Store;
import dev.heddle.store.StripeLocks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The journal and the snapshots, wired to each other, to the engine and to the settings.
 *
 * <p>Thread-safe, as its parts are.
 */
final class DataOnDisk implements SnapshotReader {

    private static final Logger LOG = LoggerFactory.getLogger(DataOnDisk.class);

    private static final long BETWEEN_REPORTS = TimeUnit.SECONDS.toNanos(5);

    private final Engine engine;
    private final PersistenceSettings settings;
    private final AofLog aof;
    private final SnapshotService snapshots;
    private final RdbLoader snapshotLoader;

    DataOnDisk(Engine engine) {
        this.engine = engine;
        this.settings = engine.settings().persistence;
        this.aof = new AofLog(engine);
        this.snapshotLoader = new RdbLoader(engine);
        this.snapshots = new SnapshotService(engine, aof, this, base -> RdbFormat.create(engine, base));
        engine.scripts().codec(new FunctionPayload(engine.settings()));
        engine.persistence(snapshots);
    }

    /**
     * Reads the data set back, and lets everything that changes it from now on be recorded.
     *
     * @throws IOException with a message for the operator
     */
    void load() throws IOException {
        if (settings.appendOnly.value()) {
            aof.load(snapshotLoader);
            aof.open();
        } else {
            loadSnapshot(Present.REFUSED);
        }
        snapshots.loaded();
        engine.keyspace().journal(aof);
        settings.appendFsync.onChange(policy -> aof.policyChanged());
        settings.appendOnly.onChange(on -> {
            if (on && !snapshots.turnJournalOn()) {
                throw new ConfigException("Unable to turn on AOF. Check server logs.");
            } else if (!on) {
                snapshots.turnJournalOff();
            }
        });
    }

    @Override
    public boolean read(boolean flushes, boolean merges) {
        if (flushes) {
            clear();
        }
        try {
            loadSnapshot(merges ? Present.REPLACED : Present.REFUSED);
            return true;
        } catch (IOException e) {
            LOG.error("{}", e.getMessage());
            return false;
        } finally {
            engine.loading().end();
        }
    }

    /** Reads the snapshot file, if there is one. */
    private void loadSnapshot(Present present) throws IOException {
        Path file = engine.settings().resolve(settings.dbFilename);
        if (!Files.exists(file)) {
            return;
        }
        LoadProgress loading = engine.loading();
        long total = Files.size(file);
        long begin = System.nanoTime();
        loading.begin(engine.clock().millis(), total);
        AtomicLong lastReport = new AtomicLong(begin);
        snapshotLoader.loadFile(file, present, bytes -> {
            loading.throwIfCancelled();
            loading.loaded(bytes);
            long now = System.nanoTime();
            if (now - lastReport.get() > BETWEEN_REPORTS) {
                lastReport.set(now);
                LOG.info("loading: {} %", 100 * bytes / Math.max(1, total));
            }
        });
        LOG.info("DB loaded from disk: {} seconds", TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin) / 1000.0);
    }

    @Override
    public boolean readJournal() {
        boolean open = aof.isOpen();
        aof.close();
        clear();
        try {
            aof.load(snapshotLoader);
            if (open) {
                aof.open();
            }
            return true;
        } catch (IOException e) {
            LOG.error("{}", e.getMessage());
            return false;
        } finally {
            engine.loading().end();
        }
    }

    /** Forgets all data, and the libraries of functions, which the files hold as well. */
    private void clear() {
        Store store = engine.store();
        StripeLocks locks = new StripeLocks(store);
        locks.wantAll();
        locks.lockWanted(true);
        try {
            for (int database = 0; database < store.databases(); database++) {
                store.clear(database);
            }
            engine.scripts().forgetLibraries();
        } finally {
            locks.unlock();
        }
    }

    /** The housekeeper's round. */
    void tick() {
        snapshots.tick();
    }

    /** @return false if the data cannot be saved, so that the process must go on */
    boolean prepareEnd(Ending ending) throws InterruptedException {
        return snapshots.prepareEnd(ending, false);
    }

    /** Nobody changes anything any more. @return false if not everything that was to be kept is on the disk */
    boolean end() throws InterruptedException {
        boolean saved = snapshots.end();
        return aof.close() && saved;
    }
}
