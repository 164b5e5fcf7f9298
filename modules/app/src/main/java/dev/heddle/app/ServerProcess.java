package dev.heddle.app;

import dev.heddle.command.CommandTable;
import dev.heddle.command.Engine;
import dev.heddle.command.Housekeeper;
import dev.heddle.command.Lifecycle;
import dev.heddle.command.LoadProgress;
import dev.heddle.command.Persistence.Ending;
import dev.heddle.command.catalog.Catalog;
import dev.heddle.command.config.Settings;
import dev.heddle.console.Console;
import dev.heddle.persistence.rdb.DumpCommands;
import dev.heddle.persistence.rdb.MigrateCommand;
import dev.heddle.server.Server;
import dev.heddle.store.Store;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The running server: makes the big objects, wires them, waits until somebody wants it to end, and takes them down in order.
 *
 * <p>Thread-safe: {@link #shutdown} may come from a command; a signal comes through the JVM's shutdown hook.
 */
final class ServerProcess implements Lifecycle {

    /** What commands that are running get to finish. */
    private static final long GRACE_MILLIS = 10_000;

    private static final long RETRY_SECONDS = 5;

    /** Made after the log has been set up. */
    private final Logger log = LoggerFactory.getLogger(ServerProcess.class);

    private final Settings settings;
    private final CountDownLatch endWanted = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);
    /** Set before the shutdown hook is registered. */
    private volatile @Nullable DataOnDisk data;

    private volatile @Nullable LoadProgress loading;
    /** Written before {@link #ended}. */
    private volatile int exitCode;

    ServerProcess(Settings settings) {
        this.settings = settings;
    }

    /**
     * Runs the server until it has ended.
     *
     * @param warnings about the configuration, for the log
     * @return the exit code
     */
    static int run(Settings settings, List<String> warnings) {
        Logging.configure(settings);
        int threads = carriers(settings);
        return new ServerProcess(settings).run(warnings, threads);
    }

    private int run(List<String> warnings, int threads) {
        // This form of log line, and "Ready to accept", are what tools that start redis-server look for.
        log.info(
                "Heddle {} is starting on Java {}, PID: {}",
                Version.current(),
                Runtime.version().feature(),
                pid());
        warnings.forEach(log::warn);
        RandomGenerator random = () -> ThreadLocalRandom.current().nextLong();
        Store store = new Store(settings.server.databases.value(), threads, new SecureRandom());
        Engine engine = new Engine(settings, commands(), InstantSource.system(), random, this, store);
        DataOnDisk data = new DataOnDisk(engine);
        this.data = data;
        engine.loading().begin(engine.clock().millis(), 0);
        loading = engine.loading();
        try {
            serve(engine, data, threads);
            exitCode = data.end() ? 0 : 1;
            log.info("Heddle is now ready to exit, bye bye...");
            return exitCode;
        } catch (IOException e) {
            log.error("cannot start: {}", e.getMessage());
            return 1;
        } catch (CancellationException stopped) {
            log.info("{}", stopped.getMessage());
            return 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return 1;
        } finally {
            ended.countDown();
        }
    }

    /** Serves until somebody wants it to end; afterwards nobody changes anything any more. */
    private void serve(Engine engine, DataOnDisk onDisk, int threads) throws IOException, InterruptedException {
        PidFile pidFile = null;
        try (Housekeeper housekeeper = new Housekeeper(engine);
                Server server = Server.open(engine);
                Console console = openConsole(engine)) {
            pidFile = pidFile();
            if (console != null) {
                housekeeper.add(console::tick);
                log.info("console at {}", console.url());
            }
            housekeeper.add(server::tick);
            housekeeper.add(onDisk::tick);
            housekeeper.start();
            onDisk.load();
            engine.loading().end();
            Runtime.getRuntime().addShutdownHook(new Thread(this::endOfProcess, "shutdown"));
            log.info("data folder {}, {} carrier thread(s)", settings.persistence.dir.value(), threads);
            log.info("Ready to accept connections on {}", String.join(", ", server.addresses()));
            endWanted.await();
            log.info("shutting down");
            engine.pauses().end();
            engine.scripts().end();
            server.shutdown(GRACE_MILLIS);
            if (pidFile != null) {
                pidFile.close();
            }
        }
    }

    /** Null without a console: then none of its classes is loaded. */
    private static @Nullable Console openConsole(Engine engine) throws IOException {
        return engine.settings().console.port.value() == 0 ? null : Console.open(engine);
    }

    private static CommandTable commands() {
        return Catalog.build(DumpCommands::declare, MigrateCommand::declare);
    }

    @Override
    public void shutdown() {
        LoadProgress progress = loading;
        if (progress != null) {
            progress.cancel();
        }
        endWanted.countDown();
    }

    /** The JVM is about to end, by a signal or because the main thread is done. A server that cannot save goes on, and tries again. */
    private void endOfProcess() {
        try {
            DataOnDisk toKeep = data;
            while (toKeep != null && endWanted.getCount() > 0 && !toKeep.prepareEnd(Ending.BY_SAVE_POINTS)) {
                log.warn("told to end, but cannot save: see above; it goes on, and tries again");
                if (endWanted.await(RETRY_SECONDS, TimeUnit.SECONDS)) {
                    break;
                }
            }
            shutdown();
            ended.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        // An orderly end is a success, also when a signal asked for it; without this the JVM would report the signal.
        Runtime.getRuntime().halt(exitCode);
    }

    /** Decides how many threads carry the connections, before the first virtual thread is made. */
    private static int carriers(Settings settings) {
        settings.server.ioThreads.settle(Carriers.byDefault(Runtime.getRuntime().availableProcessors()));
        int threads = settings.server.ioThreads.value();
        Carriers.set(threads);
        return threads;
    }

    private @Nullable PidFile pidFile() throws IOException {
        boolean wanted = !settings.server.pidFile.value().isEmpty();
        return wanted ? PidFile.write(settings.resolve(settings.server.pidFile), pid()) : null;
    }

    private static long pid() {
        return ProcessHandle.current().pid();
    }
}
