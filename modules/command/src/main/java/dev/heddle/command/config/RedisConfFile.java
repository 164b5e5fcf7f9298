package dev.heddle.command.config;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Reads configurations in redis.conf's syntax into {@link Settings}: one directive a line, {@code #} comments, words
 * quoted as {@link ConfigText#split} says, {@code include} of other files. Later lines win, except that {@code save}
 * lines add up. Used at start, in this order: the file, the standard input, the command line. Confined to one thread.
 */
public final class RedisConfFile {
    private static final int DEEPEST_INCLUDE = 16;

    /** Directives of old versions that have no effect and no value any more. */
    private static final Set<String> RETIRED =
            Set.of("list-max-ziplist-entries", "list-max-ziplist-value", "lua-replicate-commands");

    private final Settings settings;
    private final Deque<Path> open = new ArrayDeque<>();
    private final Map<Setting<?>, String> places = new LinkedHashMap<>();
    private final List<String> otherWarnings = new ArrayList<>();
    private final List<List<String>> users = new ArrayList<>();

    /** Will read into these settings, which nobody else uses yet. */
    public RedisConfFile(Settings settings) {
        this.settings = settings;
    }

    /**
     * Reads the configuration file and remembers it as the one that CONFIG REWRITE rewrites.
     *
     * @throws ConfFileException for the first line that is wrong, or if the file cannot be read
     */
    public void readMain(Path file) {
        Path absolute = file.toAbsolutePath().normalize();
        settings.configFile(absolute);
        try {
            readFile(absolute);
        } catch (IOException e) {
            throw new ConfFileException("", "", cannotOpen(absolute, e));
        }
    }

    /** Reads a configuration from a stream, to its end. */
    public void readStream(InputStream in) throws IOException {
        readText(new String(in.readAllBytes(), StandardCharsets.ISO_8859_1), new Source("standard input", false));
    }

    /** Reads the options of the command line, one directive a line. */
    public void readOptions(String text) {
        readText(text, new Source("", true));
    }

    /**
     * Creates the log file if it is missing. A server whose log cannot be written must say so at start: later nobody
     * would hear it.
     *
     * @throws ConfFileException {@code Can't open the log file: <reason>}
     */
    public void checkLogFile() {
        if (settings.logging.logFile.value().isEmpty()) {
            return;
        }
        Path file = settings.resolve(settings.logging.logFile);
        try (OutputStream log = Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
            log.flush();
        } catch (IOException e) {
            throw new ConfFileException("", "", "Can't open the log file: " + ConfigText.reason(e));
        }
    }

    /** What to tell the user: a sentence for each directive that was set and has no effect. */
    public List<String> warnings() {
        List<String> warnings = new ArrayList<>(otherWarnings);
        places.forEach((setting, place) -> {
            if (setting.status() == Setting.Status.ACCEPTED && !setting.isInitial()) {
                String why = setting.note().isEmpty() ? "known from Redis, but without effect here" : setting.note();
                warnings.add(setting.name() + " (" + place + "): " + why);
            }
        });
        return warnings;
    }

    /** The words of each {@code user} line, without the directive's name. */
    public List<List<String>> users() {
        return List.copyOf(users);
    }

    /** A text without the blanks around it that a configuration ignores. */
    static String trim(String line) {
        int start = 0;
        int end = line.length();
        while (start < end && isBlank(line.charAt(start))) {
            start++;
        }
        while (end > start && isBlank(line.charAt(end - 1))) {
            end--;
        }
        return line.substring(start, end);
    }

    private static boolean isBlank(char c) {
        return c == ' ' || c == '\t' || c == '\r' || c == '\n';
    }

    private void readFile(Path file) throws IOException {
        Path real = file.toRealPath();
        if (open.contains(real)) {
            throw new ConfigException("include of a file that is being read: " + file);
        }
        if (open.size() > DEEPEST_INCLUDE) {
            throw new ConfigException("include files are nested deeper than " + DEEPEST_INCLUDE);
        }
        String text = Files.readString(real, StandardCharsets.ISO_8859_1);
        open.push(real);
        try {
            readText(text, new Source(file.toString(), false));
        } finally {
            open.pop();
        }
    }

    private void readText(String text, Source source) {
        int number = 0;
        for (String raw : text.split("\n", -1)) {
            number++;
            String line = trim(raw);
            if (line.isEmpty() || line.startsWith("#")) {
                continue;
            }
            try {
                List<String> words = ConfigText.split(line);
                // A line may be of control characters that separate words without being blanks to trim.
                if (!words.isEmpty()) {
                    directive(words, source.at(number));
                }
            } catch (ConfFileException e) {
                throw e;
            } catch (ConfigException e) {
                throw new ConfFileException(source.fatal(number), line, String.valueOf(e.getMessage()));
            }
        }
    }

    private void directive(List<String> words, String place) {
        String name = words.get(0).toLowerCase(Locale.ROOT);
        List<String> arguments = words.subList(1, words.size());
        Setting<?> setting = settings.find(name);
        if (setting != null) {
            setting.load(arguments, !places.containsKey(setting));
            places.put(setting, place);
        } else if (!RETIRED.contains(name) || arguments.size() != 1) {
            special(name, arguments, place);
        }
    }

    /** Directives that are no settings. */
    private void special(String name, List<String> arguments, String place) {
        String form = name + " " + arguments.size();
        if (form.equals("include 1")) {
            include(arguments.get(0));
        } else if (form.equals("rename-command 2")) {
            otherWarnings.add("rename-command (" + place + "): not supported, command '"
                    + ConfigText.display(arguments.get(0)) + "' keeps its name and stays in reach of every client");
        } else if (name.equals("user") && !arguments.isEmpty()) {
            users.add(List.copyOf(arguments));
            otherWarnings.add("user (" + place + "): not supported, user '" + ConfigText.display(arguments.get(0))
                    + "' is not created");
        } else if (name.equals("loadmodule") && !arguments.isEmpty()) {
            throw new ConfigException("loadmodule is not supported: modules are made for the C server");
        } else if (name.equals("sentinel") && !arguments.isEmpty()) {
            throw new ConfigException("sentinel directive while not in sentinel mode");
        } else if (name.indexOf('.') >= 0 && !arguments.isEmpty()) {
            throw new ConfigException("Module configuration without a module: modules are not supported");
        } else {
            throw new ConfigException("Bad directive or wrong number of arguments");
        }
    }

    /**
     * Reads another file in place of the line. A relative name is looked up in the data folder in force (at first the
     * working directory), as Redis does, and then beside the file that includes it. A pattern may match nothing.
     */
    private void include(String name) {
        Path working = settings.persistence.dir.value();
        Path including = open.isEmpty() ? working : parentOf(open.element());
        List<Path> files = List.of();
        for (Path base : List.of(working, including)) {
            if (files.isEmpty()) {
                files = FileGlob.expand(base, ConfigText.display(name));
            }
        }
        for (Path file : files) {
            try {
                readFile(file);
            } catch (IOException e) {
                throw new ConfigException(cannotOpen(file, e));
            }
        }
        if (files.isEmpty() && !NamePattern.isPattern(name)) {
            throw new ConfigException("Fatal error, can't open config file '" + ConfigText.display(name)
                    + "': No such file or directory");
        }
    }

    private static Path parentOf(Path file) {
        Path parent = file.getParent();
        return parent == null ? file : parent;
    }

    private static String cannotOpen(Path file, IOException e) {
        String reason = Files.isDirectory(file) ? "Is a directory" : ConfigText.reason(e);
        return "Fatal error, can't open config file '" + file + "': " + reason;
    }

    /** Where lines come from. */
    private record Source(String name, boolean commandLine) {

        /** For warnings. */
        String at(int line) {
            return commandLine ? "command line" : "line " + line + " of " + name;
        }

        /** For the report of a fatal error. */
        String fatal(int line) {
            return commandLine ? "Reading the command line" : "Reading the configuration file, at " + at(line);
        }
    }
}
