package dev.heddle.app;

import java.io.PrintStream;

/** The entry point of the server program. Confined to the main thread. */
public final class Main {

    private static final String USAGE = "Usage: heddle [--version] [--help]";

    private Main() {}

    /** Runs the program and ends the process with 0, or with 1 when an argument is not understood. */
    public static void main(String[] args) {
        System.exit(run(args, System.out, System.err));
    }

    /** Does what {@code args} ask for and returns the exit code. */
    static int run(String[] args, PrintStream out, PrintStream err) {
        if (args.length == 1 && args[0].equals("--version")) {
            out.println("heddle " + Version.current());
            return 0;
        }
        if (args.length == 1 && args[0].equals("--help")) {
            out.println(USAGE);
            return 0;
        }
        err.println(USAGE);
        return 1;
    }
}
