package dev.heddle.command;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread that does what nobody asks for: expiry, eviction, idle connections, samples for INFO.
 *
 * <p>Thread-safe. Ends when {@link #close} is called.
 */
public final class Housekeeper implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Housekeeper.class);

    private final Engine engine;
    private final List<Runnable> chores = new CopyOnWriteArrayList<>();
    private final Thread thread;
    private volatile boolean closed;

    public Housekeeper(Engine engine) {
        this.engine = engine;
        this.thread = Thread.ofPlatform().daemon(true).name("housekeeper").unstarted(this::run);
    }

    /** Adds something to be done {@code hz} times a second: short, and never waiting. */
    public void add(Runnable chore) {
        chores.add(chore);
    }

    public void start() {
        thread.start();
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
    }

    private void run() {
        while (!closed) {
            long period = 1_000_000_000L / engine.settings().server.hz.value();
            long next = System.nanoTime() + period;
            try {
                engine.expiryCycle().run(period / 4);
                engine.rates().sample(System.nanoTime(), engine.stats());
                engine.clientMemory().tick();
                engine.memory().sample();
                engine.evictor().tick();
                chores.forEach(Runnable::run);
            } catch (RuntimeException | Error bug) {
                // Also when memory is so short that a class cannot be made: the next round may find more.
                LOG.error("housekeeping failed", bug);
            }
            long left = next - System.nanoTime();
            if (left > 0 && !closed) {
                LockSupport.parkNanos(this, left);
            }
        }
    }
}
