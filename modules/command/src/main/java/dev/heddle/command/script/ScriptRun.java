package dev.heddle.command.script;

import dev.heddle.command.Call;
import dev.heddle.command.ScriptCalls;
import dev.heddle.resp.Request;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/**
 * A script or function that is being run.
 *
 * <p>Confined to the thread that runs it, except what {@link #kill} and the questions about it do, which any thread may.
 */
final class ScriptRun {

    private static final long TURN_NANOS = 1_000_000;
    /** Looks at the clock between two looks at the heap. */
    private static final int HEAP_LOOKS = 64;
    /** So much of the heap in use after a collection is too much for a script to go on. */
    private static final double FULLEST = 0.9;

    private static final List<MemoryPoolMXBean> POOLS = ManagementFactory.getMemoryPoolMXBeans().stream()
            .filter(pool -> pool.getType() == MemoryType.HEAP && pool.isCollectionUsageThresholdSupported())
            .filter(pool -> pool.getUsage().getMax() > 0 && pool.isUsageThresholdSupported())
            .toList();

    static {
        for (MemoryPoolMXBean pool : POOLS) {
            pool.setCollectionUsageThreshold((long) (FULLEST * pool.getUsage().getMax()));
        }
    }

    private final Scripts scripts;
    private final ScriptCalls calls;
    private final Request request;
    private final String name;
    private final boolean function;
    private final boolean readOnly;
    private final boolean mayExceedMemory;
    private final long startedNanos = System.nanoTime();
    private long turnNanos = startedNanos;
    private int looks;
    /** Set by any thread. */
    private volatile boolean killed;
    /** Set by this one. */
    private volatile boolean wrote;

    /**
     * @param name the script's SHA-1, or the function's name
     * @param flags what it says of itself
     */
    ScriptRun(Call call, String name, boolean function, boolean readOnly, Set<ScriptFlag> flags) {
        this.mayExceedMemory = flags.contains(ScriptFlag.ALLOW_OOM);
        this.scripts = Scripts.of(call);
        this.calls = call.scriptCalls();
        this.request = call.request();
        this.name = name;
        this.function = function;
        this.readOnly = readOnly;
    }

    ScriptCalls calls() {
        return calls;
    }

    /** The script's SHA-1, or the function's name. */
    String name() {
        return name;
    }

    /** The command that runs it. Any thread may ask while it runs: nobody changes the request meanwhile. */
    List<byte[]> command() {
        List<byte[]> arguments = new ArrayList<>();
        for (int i = 0; i < request.count(); i++) {
            arguments.add(request.copy(i));
        }
        return arguments;
    }

    boolean isFunction() {
        return function;
    }

    boolean readOnly() {
        return readOnly;
    }

    /** Whether it may run commands that are kept from scripts. */
    boolean mayRunAll() {
        return scripts.deniesNothing();
    }

    /** Whether its commands may take memory although there is no more. */
    boolean mayExceedMemory() {
        return mayExceedMemory;
    }

    void writes() {
        wrote = true;
    }

    boolean wrote() {
        return wrote;
    }

    void kill() {
        killed = true;
    }

    long runningMillis() {
        return (System.nanoTime() - startedNanos) / 1_000_000;
    }

    /**
     * Called every now and then while the script runs: ends it if that is wanted, and otherwise lets the others on this carrier run for a
     * moment, so that they hear that the server is busy.
     */
    void look() {
        if (killed) {
            throw new ScriptKilled("Script killed by user with " + (function ? "FUNCTION" : "SCRIPT") + " KILL...");
        }
        long now = System.nanoTime();
        if (now - turnNanos > TURN_NANOS) {
            LockSupport.parkNanos(this, 1);
            turnNanos = System.nanoTime();
        }
        if (++looks % HEAP_LOOKS == 0 && heapIsFull()) {
            throw ScriptError.here("not enough memory");
        }
    }

    private static boolean heapIsFull() {
        for (MemoryPoolMXBean pool : POOLS) {
            if (pool.isCollectionUsageThresholdExceeded()) {
                return true;
            }
        }
        return false;
    }
}
