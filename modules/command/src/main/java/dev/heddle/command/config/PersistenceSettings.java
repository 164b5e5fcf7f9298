package dev.heddle.command.config;

import static dev.heddle.command.config.Row.accepted;
import static dev.heddle.command.config.Row.active;

import dev.heddle.command.config.Row.Trait;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/** Where and how the data set is kept on the disk. Thread-safe, as its settings are. */
public final class PersistenceSettings {

    /** The data folder, absolute. Other relative paths are relative to it. */
    public final Setting<Path> dir;

    /** Name of the snapshot file inside the data folder. */
    public final Setting<String> dbFilename;

    /** When snapshots are due; empty for never. */
    public final Setting<List<SavePoint>> save;

    /** Compress strings in snapshots. */
    public final Setting<Boolean> rdbCompression;

    /** End snapshots with a checksum, and check it. */
    public final Setting<Boolean> rdbChecksum;

    /** Force a snapshot to the disk bit by bit while it is written. */
    public final Setting<Boolean> rdbSaveIncrementalFsync;

    /** The same for the base of a rewritten append-only file. */
    public final Setting<Boolean> aofRewriteIncrementalFsync;

    /** Refuse writes while snapshots fail. */
    public final Setting<Boolean> stopWritesOnBgsaveError;

    /** Keep an append-only file. */
    public final Setting<Boolean> appendOnly;

    /** First part of the names of the append-only files. */
    public final Setting<String> appendFilename;

    /** Folder of the append-only files inside the data folder. */
    public final Setting<String> appendDirname;

    /** When the append-only file is forced to the disk. */
    public final Setting<AppendFsync> appendFsync;

    /** Do not force the file to the disk while it is being rewritten. */
    public final Setting<Boolean> noAppendFsyncOnRewrite;

    /** Growth since the last rewrite, in percent, that starts a new one; 0 for never. */
    public final Setting<Integer> autoAofRewritePercentage;

    /** Bytes below which no rewrite starts by itself. */
    public final Setting<Long> autoAofRewriteMinSize;

    /** Start even if the last record was cut short. */
    public final Setting<Boolean> aofLoadTruncated;

    /** Begin rewritten files with a snapshot. */
    public final Setting<Boolean> aofUseRdbPreamble;

    /** Note times in the append-only file. */
    public final Setting<Boolean> aofTimestampEnabled;

    PersistenceSettings(Catalogue rows, Path workingDirectory) {
        dir = rows.add(active("dir").with(Trait.PROTECTED, Trait.DENY_LOADING), workingDirectory, new DirectoryCodec());
        dbFilename = rows.text(
                active("dbfilename").with(Trait.PROTECTED),
                "dump.rdb",
                baseName("dbfilename can't be a path, just a filename"));
        save = rows.add(
                active("save"),
                List.of(new SavePoint(3600, 1), new SavePoint(300, 100), new SavePoint(60, 10_000)),
                new SavePoint.ListCodec());
        rdbCompression = rows.yesNo(active("rdbcompression"), true);
        rdbChecksum = rows.yesNo(active("rdbchecksum").with(Trait.IMMUTABLE), true);
        stopWritesOnBgsaveError = rows.yesNo(active("stop-writes-on-bgsave-error"), true);
        rdbSaveIncrementalFsync = rows.yesNo(active("rdb-save-incremental-fsync"), true);
        rows.yesNo(accepted("rdb-del-sync-files"), false);
        rows.choice(accepted("sanitize-dump-payload"), "no", "no", "yes", "clients");

        appendOnly = rows.yesNo(active("appendonly").with(Trait.DENY_LOADING), false);
        appendFilename = rows.text(
                active("appendfilename").with(Trait.IMMUTABLE),
                "appendonly.aof",
                notEmpty("appendfilename can't be empty")
                        .andThen(baseName("appendfilename can't be a path, just a filename")));
        appendDirname = rows.text(
                active("appenddirname").with(Trait.IMMUTABLE),
                "appendonlydir",
                notEmpty("appenddirname can't be empty")
                        .andThen(baseName("appenddirname can't be a path, just a dirname")));
        appendFsync = rows.choice(active("appendfsync"), AppendFsync.EVERYSEC);
        noAppendFsyncOnRewrite = rows.yesNo(active("no-appendfsync-on-rewrite"), false);
        autoAofRewritePercentage = rows.integer(active("auto-aof-rewrite-percentage"), 100, 0, Integer.MAX_VALUE);
        autoAofRewriteMinSize = rows.memory(active("auto-aof-rewrite-min-size"), 64L << 20, 0);
        aofLoadTruncated = rows.yesNo(active("aof-load-truncated"), true);
        aofUseRdbPreamble = rows.yesNo(active("aof-use-rdb-preamble"), true);
        aofTimestampEnabled = rows.yesNo(active("aof-timestamp-enabled"), false);
        aofRewriteIncrementalFsync = rows.yesNo(active("aof-rewrite-incremental-fsync"), true);
        rows.yesNo(accepted("aof-disable-auto-gc").with(Trait.HIDDEN), false);
    }

    private static Consumer<String> baseName(String error) {
        return text -> {
            if (text.indexOf('/') >= 0 || text.indexOf('\\') >= 0) {
                throw new ConfigException(error);
            }
        };
    }

    private static Consumer<String> notEmpty(String error) {
        return text -> {
            if (text.isEmpty()) {
                throw new ConfigException(error);
            }
        };
    }
}
