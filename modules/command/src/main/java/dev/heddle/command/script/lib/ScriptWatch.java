package dev.heddle.command.script.lib;

import org.jspecify.annotations.Nullable;

/**
 * Lets whoever runs scripts look in on a library function that takes long. A pattern can be made to backtrack for
 * years, and the interpreter, which otherwise counts instructions, does not get a turn meanwhile; so the matcher calls
 * the watch now and then, and that may throw to end the script. Thread-safe: each thread has a watch of its own, which
 * threads that it starts (coroutines) take over.
 */
public final class ScriptWatch {
    private static final ThreadLocal<@Nullable Runnable> CURRENT = new InheritableThreadLocal<>();

    private ScriptWatch() {}

    /** Sets what this thread's long-running library functions call, some thousand times a second; null for nothing. */
    public static void set(@Nullable Runnable watch) {
        if (watch == null) {
            CURRENT.remove();
        } else {
            CURRENT.set(watch);
        }
    }

    static @Nullable Runnable current() {
        return CURRENT.get();
    }
}
