package dev.heddle.command.script;

import dev.heddle.command.script.Frames.Place;
import org.jspecify.annotations.Nullable;
import org.luaj.vm2.Globals;
import org.luaj.vm2.LuaClosure;
import org.luaj.vm2.LuaFunction;
import org.luaj.vm2.LuaThread;
import org.luaj.vm2.LuaValue;
import org.luaj.vm2.Varargs;
import org.luaj.vm2.lib.DebugLib;

/**
 * Stands where the interpreter has its debugger: it is told of every instruction, call and error of a script. That is how an endless script can be
 * noticed, how errors know their line, and how others on the same carrier get their turn.
 *
 * <p>Guarded by all stripes, like everything that runs scripts.
 */
final class Stepper extends DebugLib {

    /** Instructions between two looks at the clock: some tens of microseconds. */
    private static final int INSTRUCTIONS = 2_000;

    private final Globals globals;
    private Runnable watch = () -> {};
    private int left = INSTRUCTIONS;
    private @Nullable LuaThread thread;
    private Frames frames = new Frames();
    private @Nullable Place lastError;

    Stepper(Globals globals) {
        this.globals = globals;
    }

    /** A script begins; {@code onLook} is called now and then while it runs, and may end it by throwing an {@code Error}. */
    void begin(Runnable onLook) {
        watch = onLook;
        left = INSTRUCTIONS;
        frames = new Frames();
        thread = globals.running;
        thread.callstack = frames;
        lastError = null;
    }

    /** The script has ended: what its variables held is not kept until the next one begins. */
    void end() {
        watch = () -> {};
        frames = new Frames();
        LuaThread last = thread;
        if (last != null) {
            last.callstack = frames;
        }
    }

    /** The functions that run now, in the coroutine that runs now. */
    Frames frames() {
        LuaThread running = globals.running;
        if (running != thread) {
            thread = running;
            if (!(running.callstack instanceof Frames)) {
                running.callstack = new Frames();
            }
            frames = (Frames) running.callstack;
        }
        return frames;
    }

    /** An error is about to be raised of which the interpreter will not tell. */
    void noteError() {
        lastError = frames().place(1);
    }

    /** Where the newest error was raised. */
    @Nullable
    Place lastError() {
        return lastError;
    }

    @Override
    public void onCall(LuaFunction function) {
        // functions of ours have no instructions
    }

    @Override
    public void onCall(LuaClosure function, Varargs arguments, LuaValue[] stack) {
        frames().push(function, stack);
    }

    @Override
    public void onInstruction(int counter, Varargs arguments, int top) {
        frames().at(counter);
        if (--left <= 0) {
            left = INSTRUCTIONS;
            watch.run();
        }
    }

    @Override
    public void onReturn() {
        frames().pop();
    }

    /** The interpreter asks for this once for each error, while its functions are still there. */
    @Override
    public String traceback(int level) {
        noteError();
        return "";
    }
}
