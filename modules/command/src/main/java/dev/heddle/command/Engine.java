package dev.heddle.command;

import dev.heddle.command.config.Settings;
import dev.heddle.store.Store;
import java.time.InstantSource;
import java.util.random.RandomGenerator;

/**
 * The big objects that commands work with, made once at start.
 *
 * <p>Immutable; what it holds is thread-safe.
 */
public final class Engine {

    private final Settings settings;
    private final CommandTable table;
    private final InstantSource clock;
    private final RandomGenerator random;
    private final Lifecycle lifecycle;
    private final Store store;
    private final ServerStats stats = new ServerStats();
    private final Rates rates = new Rates();
    private final Sessions sessions = new Sessions();
    private final PauseGate pauses;
    private final Keyspace keyspace;
    private final Watches watches;
    private final Waiters waiters;
    private final PubSub pubSub;
    private final Tracking tracking;
    private final Monitors monitors;
    private final Dispatcher dispatcher;
    private final ExpiryCycle expiryCycle;
    private final ServerInfo serverInfo;
    private final RunMonitor runMonitor;
    private final MemoryGauge memory;
    private final Uses uses;
    private final Evictor evictor;
    private final ClientMemory clientMemory;
    /** Set once, before there are sessions. */
    private volatile Persistence persistence = Persistence.NONE;

    private final LoadProgress loading = new LoadProgress();

    /** @param random must be safe for use by several threads */
    public Engine(
            Settings settings,
            CommandTable table,
            InstantSource clock,
            RandomGenerator random,
            Lifecycle lifecycle,
            Store store) {
        this.settings = settings;
        this.table = table;
        this.clock = clock;
        this.random = random;
        this.lifecycle = lifecycle;
        this.store = store;
        this.runMonitor = new RunMonitor(settings);
        this.pauses = new PauseGate(clock);
        this.keyspace = new Keyspace(store, stats);
        this.watches = new Watches(keyspace, clock);
        this.waiters = new Waiters(this);
        this.pubSub = new PubSub(store);
        this.tracking = new Tracking(this);
        this.monitors = new Monitors(this);
        KeyEvents.publish(settings.server.keyspaceEvents, pubSub, keyspace);
        this.memory = new MemoryGauge(this);
        this.uses = new Uses(settings.memory);
        this.evictor = new Evictor(this);
        this.clientMemory = new ClientMemory(this);
        this.dispatcher = new Dispatcher(this);
        this.expiryCycle = new ExpiryCycle(this);
        this.serverInfo = new ServerInfo(clock.millis(), random);
    }

    public Settings settings() {
        return settings;
    }

    public CommandTable table() {
        return table;
    }

    public InstantSource clock() {
        return clock;
    }

    public RandomGenerator random() {
        return random;
    }

    public Lifecycle lifecycle() {
        return lifecycle;
    }

    public Store store() {
        return store;
    }

    public Keyspace keyspace() {
        return keyspace;
    }

    /** Scripts that are known, and the one that runs. */
    public ScriptHost scripts() {
        return table.scripts();
    }

    public ServerStats stats() {
        return stats;
    }

    public Rates rates() {
        return rates;
    }

    public Sessions sessions() {
        return sessions;
    }

    public PauseGate pauses() {
        return pauses;
    }

    Watches watches() {
        return watches;
    }

    /** Who waits in blocking commands. */
    public Waiters waiters() {
        return waiters;
    }

    /** Who listens to which channels. */
    public PubSub pubSub() {
        return pubSub;
    }

    /** Who may have copies of which keys. */
    public Tracking tracking() {
        return tracking;
    }

    /** Who sees everybody's commands. */
    public Monitors monitors() {
        return monitors;
    }

    public Dispatcher dispatcher() {
        return dispatcher;
    }

    public ExpiryCycle expiryCycle() {
        return expiryCycle;
    }

    /** The slow log. */
    public SlowLog slowLog() {
        return runMonitor.slowLog();
    }

    /** Spikes of latency. */
    public LatencyMonitor latency() {
        return runMonitor.latency();
    }

    RunMonitor runMonitor() {
        return runMonitor;
    }

    /** How much memory is in use. */
    public MemoryGauge memory() {
        return memory;
    }

    /** How keys remember their use. */
    public Uses uses() {
        return uses;
    }

    /** What clients take, and may. */
    public ClientMemory clientMemory() {
        return clientMemory;
    }

    Evictor evictor() {
        return evictor;
    }

    /** The data set on the disk. */
    public Persistence persistence() {
        return persistence;
    }

    public void persistence(Persistence newPersistence) {
        persistence = newPersistence;
    }

    /** Whether, and how far, the data set is being read from the disk. */
    public LoadProgress loading() {
        return loading;
    }

    /** What does not change while the process lives: run id, start time. */
    public ServerInfo serverInfo() {
        return serverInfo;
    }

    /** Opens a session on a connection; {@link Session#close} ends it. */
    public Session open(Connection connection) {
        Session session = new Session(this, connection, false);
        sessions.add(session);
        return session;
    }

    /** Opens a session that repeats commands of a journal, through {@link Dispatcher#repeat}: nobody sees it, and it need not be closed. */
    public Session openRepeating() {
        return new Session(this, new NoClient(), true);
    }
}
