package dev.heddle.app;

import dev.heddle.command.config.ConfigException;
import dev.heddle.command.config.ConfigText;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The command line, in the grammar of redis-server: {@code --name value...} is the directive {@code name value...}, so
 * there is no list of options here. Immutable.
 *
 * <p>Read by hand and not with a library: a command-line library wants to know its options and how many values each of
 * them takes, and here both are the configuration's business, as are the error texts. What remains is one small loop.
 *
 * @param action what to do
 * @param configFile the configuration file, or null
 * @param standardInput whether to read more configuration from the standard input, after the file
 * @param directives the options as configuration lines, which come last
 */
record Options(Action action, @Nullable String configFile, boolean standardInput, String directives) {

    /** What the command line asks for. */
    enum Action {
        RUN,
        VERSION,
        HELP
    }

    /** Reads the command line. Whether its directives make sense is not checked here. */
    static Options parse(String... args) {
        String first = args.length == 0 ? "" : args[0];
        return switch (first) {
            case "--version", "-v" -> new Options(Action.VERSION, null, false, "");
            case "--help", "-h" -> new Options(Action.HELP, null, false, "");
            default -> new Parser(args).run();
        };
    }

    /** Confined to one call. */
    private static final class Parser {
        /* An argument is the name of an option if it starts with "--" and the option before it has a value: a value may
         * start with "--", too (--proc-title-template --x). Only --save can do without one; it then means "never".
         * "--name value" in a single argument is fine as well, and values that follow go to the same directive.
         *
         * The file is the first argument if that is no option. It may also stand later, which Redis does not have:
         * where no option can want it, that is before the next option or at the end, behind an option that has a value
         * already. To leave Redis's error for "--port 6379 6380" alone it must look like a path.
         */
        private final String[] args;
        private final StringBuilder directives = new StringBuilder();
        private @Nullable String file;
        private boolean standardInput;
        private boolean complete = true;

        Parser(String[] args) {
            this.args = args;
        }

        Options run() {
            for (int i = 0; i < args.length; i++) {
                if (i == 0 && !args[i].startsWith("-")) {
                    file = args[i];
                } else if (args[i].equals("-") && (i == 0 || i == args.length - 1)) {
                    standardInput = true;
                } else if (complete && args[i].startsWith("--")) {
                    option(i);
                } else if (isFile(i)) {
                    file = args[i];
                } else {
                    directives.append(ConfigText.quote(ConfigText.of(args[i]))).append(' ');
                    complete = true;
                }
            }
            return new Options(Action.RUN, file, standardInput, directives.toString());
        }

        private void option(int at) {
            if (!directives.isEmpty()) {
                directives.append('\n');
            }
            String text = ConfigText.of(args[at]);
            directives.append(text.substring(2)).append(' ');
            complete = words(text) != 1;
            boolean lastOrBeforeOption = at == args.length - 1 || args[at + 1].startsWith("--");
            if (args[at].equalsIgnoreCase("--save") && lastOrBeforeOption) {
                directives.append("\"\"");
                complete = true;
            }
        }

        private static int words(String text) {
            try {
                return ConfigText.split(text).size();
            } catch (ConfigException e) {
                // The configuration reader will say so; whatever is wrong, it is not a lone name.
                return 0;
            }
        }

        private boolean isFile(int at) {
            boolean looksLikeOne = args[at].contains("/") || args[at].endsWith(".conf");
            boolean lastOfOption = at == args.length - 1 || args[at + 1].startsWith("-");
            return file == null && complete && looksLikeOne && lastOfOption && !args[at].startsWith("-");
        }
    }

    /** How to call the program, line by line. */
    static List<String> usage() {
        return List.of(
                "Usage: heddle [FILE] [--DIRECTIVE VALUE...]... [-]",
                "       heddle check-aof [--fix] [--yes] [--truncate-to-timestamp SECONDS] FILE",
                "       heddle check-rdb FILE",
                "       heddle --version | -v",
                "       heddle --help | -h",
                "",
                "FILE is a configuration file in redis.conf's syntax; - reads more of it from the standard input.",
                "Each --DIRECTIVE VALUE is a line of such a file; these come last and win.",
                "config/heddle.conf describes all directives.",
                "",
                "Examples:",
                "       heddle                                       port 6379, all defaults",
                "       heddle --port 7777 --requirepass secret",
                "       heddle /etc/heddle.conf --loglevel verbose",
                "       heddle --port 6380 --save 60 1 /etc/heddle.conf",
                "       echo 'maxclients 100' | heddle -");
    }
}
