package dev.heddle.app;

import dev.heddle.command.config.ConfFileException;
import dev.heddle.command.config.ConfigException;
import dev.heddle.command.config.ConfigText;
import dev.heddle.command.config.RedisConfFile;
import dev.heddle.command.config.Settings;
import dev.heddle.persistence.aof.CheckAof;
import dev.heddle.persistence.rdb.CheckRdb;
import dev.heddle.persistence.rdb.RdbLoader;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.util.List;

/** The entry point of the server program. Confined to the main thread. */
public final class Main {

    private final InputStream in;
    private final PrintStream out;
    private final PrintStream err;
    private final Starter starter;

    /** Runs a server until it is told to stop, and returns the exit code. */
    @FunctionalInterface
    interface Starter {
        int start(Settings settings, List<String> warnings);
    }

    Main(InputStream in, PrintStream out, PrintStream err, Starter starter) {
        this.in = in;
        this.out = out;
        this.err = err;
        this.starter = starter;
    }

    /** Runs the program and ends the process: with 0, or with 1 when the configuration is refused. */
    public static void main(String[] args) {
        System.exit(new Main(System.in, System.out, System.err, ServerProcess::run).run(args));
    }

    /** Does what {@code args} ask for and returns the exit code. */
    int run(String... args) {
        if (args.length > 0 && args[0].equals("check-aof")) {
            return checkAof(List.of(args).subList(1, args.length));
        }
        if (args.length > 0 && args[0].equals("check-rdb")) {
            return new CheckRdb(out).run(List.of(args).subList(1, args.length));
        }
        Options options = Options.parse(args);
        return switch (options.action()) {
            case VERSION -> print(List.of(Version.line()));
            case HELP -> print(Options.usage());
            case RUN -> configureAndStart(options);
        };
    }

    private int checkAof(List<String> arguments) {
        // The launcher knows whether somebody sits before it; from JDK 22 on the JVM does not tell.
        boolean asks = Boolean.getBoolean("heddle.terminal");
        return new CheckAof(in, out, asks, RdbLoader.check()).run(arguments);
    }

    private int print(List<String> lines) {
        lines.forEach(out::println);
        return 0;
    }

    private int configureAndStart(Options options) {
        Settings settings = new Settings();
        RedisConfFile configuration = new RedisConfFile(settings);
        try {
            read(options, configuration);
        } catch (ConfFileException e) {
            err.print(e.report("Heddle " + Version.current()));
            return 1;
        } catch (ConfigException | IOException e) {
            err.println("heddle: " + e.getMessage());
            return 1;
        }
        return starter.start(settings, configuration.warnings());
    }

    private void read(Options options, RedisConfFile configuration) throws IOException {
        if (options.configFile() != null) {
            configuration.readMain(ConfigText.path(ConfigText.of(options.configFile())));
        }
        if (options.standardInput()) {
            configuration.readStream(in);
        }
        configuration.readOptions(options.directives());
        configuration.checkLogFile();
    }
}
