package dev.heddle.command.config;

import dev.heddle.command.config.Row.Trait;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * All directives of redis.conf that Redis 7.2 knows, with their values: typed fields for the code that obeys them, and
 * the by-name side that CONFIG GET, SET and REWRITE need.
 *
 * <p>Thread-safe: values are read without a lock; changes and their listeners run one after the other under one lock.
 */
public final class Settings {

    /**
     * Where a CONFIG SET comes from.
     *
     * @param local whether the client is on this machine
     * @param loading whether the data set is still being loaded
     */
    public record Origin(boolean local, boolean loading) {}

    /* The order of these fields is the order of CONFIG GET *. */
    private final Catalogue catalogue = new Catalogue();
    private final ReentrantLock lock = new ReentrantLock();

    /** Written once, before other threads exist. */
    private volatile @Nullable Path configFile;

    /** Listening, connections, limits per client. */
    public final NetworkSettings network;

    /** The process, databases, dangerous commands, notifications. */
    public final ServerSettings server;

    /** Memory limit, eviction, expiry. */
    public final MemorySettings memory;

    /** Sizes up to which values keep their compact form. */
    public final EncodingSettings encoding;

    /** Data folder, snapshots, append-only file. */
    public final PersistenceSettings persistence;

    /** Log, slow log, latency figures. */
    public final LoggingSettings logging;

    /** The web console. */
    public final ConsoleSettings console;

    /** All directives at their defaults, with the process's working directory as the data folder. */
    public Settings() {
        this(Path.of(""));
    }

    /** All directives at their defaults, with this data folder. */
    public Settings(Path workingDirectory) {
        network = new NetworkSettings(catalogue);
        server = new ServerSettings(catalogue);
        memory = new MemorySettings(catalogue);
        encoding = new EncodingSettings(catalogue);
        persistence = new PersistenceSettings(
                catalogue, workingDirectory.toAbsolutePath().normalize());
        logging = new LoggingSettings(catalogue);
        console = new ConsoleSettings(catalogue);
        AcceptedSettings.declare(catalogue);
    }

    /** The directive of this name or alias, in any case. */
    public @Nullable Setting<?> find(String name) {
        return catalogue.find(name);
    }

    /** All directives, each once. */
    public List<Setting<?>> all() {
        return catalogue.settings();
    }

    /** The file that the server was started with; null if there was none. */
    public @Nullable Path configFile() {
        return configFile;
    }

    void configFile(Path file) {
        configFile = file;
    }

    /** A file that a directive names: relative to the data folder, as for a process that works in it. */
    public Path resolve(Setting<String> path) {
        return persistence.dir.value().resolve(ConfigText.path(path.value()));
    }

    /**
     * CONFIG GET: names and values, each name once, hidden ones only by their exact name. A plain name is given back as
     * it was spelled; patterns give names in the catalogue's order, aliases among them.
     */
    public List<Map.Entry<String, String>> get(List<String> patterns) {
        Map<String, Boolean> seen = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        List<Map.Entry<String, String>> found = new ArrayList<>();
        for (String pattern : patterns) {
            if (!NamePattern.isPattern(pattern)) {
                Setting<?> setting = find(pattern);
                if (setting != null && seen.put(pattern, true) == null) {
                    found.add(Map.entry(pattern, setting.text()));
                }
                continue;
            }
            NamePattern glob = new NamePattern(pattern.toLowerCase(Locale.ROOT));
            for (Map.Entry<String, Setting<?>> entry : catalogue.names()) {
                if (!entry.getValue().hidden()
                        && glob.matches(entry.getKey())
                        && seen.put(entry.getKey(), true) == null) {
                    found.add(Map.entry(entry.getKey(), entry.getValue().text()));
                }
            }
        }
        return found;
    }

    /**
     * CONFIG SET: all of the pairs or none of them.
     *
     * @throws ConfigException with the whole error reply, for example {@code ERR CONFIG SET failed (possibly related to
     *     argument 'maxmemory') - argument must be a memory value}
     */
    public void set(List<Map.Entry<String, String>> pairs, Origin origin) {
        lock.lock();
        try {
            Map<String, Setting<?>> addressed = addressed(pairs, origin);
            List<Change<?>> changes = new ArrayList<>();
            addressed.forEach((name, setting) ->
                    changes.add(parsed(name, setting, pairs.get(changes.size()).getValue())));
            changes.forEach(Change::apply);
            changes.removeIf(change -> !change.effective());
            tell(changes);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Calls one listener after each CONFIG SET that changed at least one of these settings, once for all of them. See
     * {@link Setting#onChange} for the rules.
     */
    public void onChange(Runnable listener, Setting<?>... of) {
        Arrays.stream(of).forEach(setting -> setting.listen(listener));
    }

    /**
     * CONFIG REWRITE: writes the values in force into the configuration file, see {@link ConfigRewriter}.
     *
     * @throws ConfigException with the whole error reply
     */
    public void rewrite() {
        rewrite(configFile);
    }

    /** CONFIG REWRITE into this file. */
    public void rewrite(@Nullable Path file) {
        if (file == null) {
            throw new ConfigException("ERR The server is running without a config file");
        }
        lock.lock();
        try {
            new ConfigRewriter(this).rewrite(file);
        } catch (IOException e) {
            throw new ConfigException("ERR Rewriting config file: " + ConfigText.reason(e));
        } finally {
            lock.unlock();
        }
    }

    /** The settings behind the names (in lower case), if all are known, may be changed, and are named only once. */
    private Map<String, Setting<?>> addressed(List<Map.Entry<String, String>> pairs, Origin origin) {
        Map<String, Setting<?>> settings = new LinkedHashMap<>();
        for (Map.Entry<String, String> pair : pairs) {
            String name = pair.getKey();
            Setting<?> setting = find(name);
            if (setting == null) {
                throw new ConfigException("ERR Unknown option or number of arguments for CONFIG SET - '" + name + "'");
            }
            checkMutable(name, setting, origin);
            if (settings.put(name.toLowerCase(Locale.ROOT), setting) != null) {
                throw failed(name, "duplicate parameter");
            }
        }
        return settings;
    }

    private void checkMutable(String name, Setting<?> setting, Origin origin) {
        if (!setting.mutable()) {
            throw failed(name, "can't set immutable config");
        }
        if (setting.guarded() && !server.enableProtectedConfigs.value().allows(origin.local())) {
            throw failed(name, "can't set protected config");
        }
        if (origin.loading() && setting.has(Trait.DENY_LOADING)) {
            throw new ConfigException("LOADING Redis is loading the dataset in memory");
        }
    }

    private static <T> Change<T> parsed(String name, Setting<T> setting, String value) {
        try {
            return new Change<>(name, setting, setting.value(), setting.parse(value));
        } catch (ConfigException e) {
            throw failed(name, String.valueOf(e.getMessage()));
        }
    }

    /** Runs the listeners of the changed settings; if one refuses, takes everything back and tells those that heard. */
    private static void tell(List<Change<?>> changes) {
        Set<Runnable> heard = Collections.newSetFromMap(new IdentityHashMap<>());
        List<Runnable> told = new ArrayList<>();
        for (Change<?> change : changes) {
            for (Runnable listener : change.setting().listeners()) {
                if (!heard.add(listener)) {
                    continue;
                }
                try {
                    listener.run();
                } catch (ConfigException e) {
                    changes.forEach(Change::takeBack);
                    told.forEach(Runnable::run);
                    throw failed(change.name(), String.valueOf(e.getMessage()));
                }
                told.add(listener);
            }
        }
    }

    private static ConfigException failed(String name, String reason) {
        return new ConfigException("ERR CONFIG SET failed (possibly related to argument '" + name + "') - " + reason);
    }

    /** One value on its way into a setting. Confined to one CONFIG SET. */
    private record Change<T>(String name, Setting<T> setting, T before, T after) {
        boolean effective() {
            return !setting.value().equals(before) || setting.has(Trait.REREAD);
        }

        void apply() {
            setting.replace(after);
        }

        void takeBack() {
            setting.replace(before);
        }
    }
}
