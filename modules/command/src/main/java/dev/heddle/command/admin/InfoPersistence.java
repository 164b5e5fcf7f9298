package dev.heddle.command.admin;

import dev.heddle.command.Call;
import dev.heddle.command.Engine;
import dev.heddle.command.Persistence.Figures;
import dev.heddle.command.Persistence.Rewrites;

/**
 * INFO persistence. Nothing is copied on write here: what Redis calls so is the old contents of keys that are kept because they have changed while
 * a snapshot runs. Stateless.
 */
final class InfoPersistence {

    private InfoPersistence() {}

    static void write(Call call, InfoText text) {
        Engine engine = call.engine();
        Figures figures = engine.persistence().figures();
        Rewrites rewrites = figures.rewrites();
        boolean running = figures.saving() || rewrites.rewriting();
        text.section("Persistence");
        text.line("loading", engine.loading().active());
        text.line("async_loading", false);
        text.line("current_cow_peak", running ? figures.bytesHeld() : 0);
        text.line("current_cow_size", running ? figures.bytesHeld() : 0);
        text.line("current_cow_size_age", 0);
        text.line("current_fork_perc", percentage(running ? figures.keysProcessed() : 0, figures.keysTotal()));
        text.line("current_save_keys_processed", figures.keysProcessed());
        text.line("current_save_keys_total", figures.keysTotal());
        text.line("rdb_changes_since_last_save", figures.changes());
        text.line("rdb_bgsave_in_progress", figures.saving());
        text.line("rdb_last_save_time", figures.lastSave());
        text.line("rdb_last_bgsave_status", status(figures.lastSaveOk()));
        text.line("rdb_last_bgsave_time_sec", figures.lastSeconds());
        text.line("rdb_current_bgsave_time_sec", figures.currentSeconds());
        text.line("rdb_saves", figures.saves());
        text.line("rdb_last_cow_size", figures.lastPeakBytes());
        text.line("rdb_last_load_keys_expired", 0);
        text.line("rdb_last_load_keys_loaded", 0);
        text.line("aof_enabled", engine.keyspace().journal().isOpen());
        text.line("aof_rewrite_in_progress", rewrites.rewriting());
        text.line("aof_rewrite_scheduled", rewrites.scheduled());
        text.line("aof_last_rewrite_time_sec", rewrites.lastSeconds());
        text.line("aof_current_rewrite_time_sec", rewrites.currentSeconds());
        text.line("aof_last_bgrewrite_status", status(rewrites.lastOk()));
        text.line("aof_rewrites", rewrites.count());
        text.line("aof_rewrites_consecutive_failures", rewrites.failuresInARow());
        text.line(
                "aof_last_write_status",
                status(!engine.keyspace().journal().figures().failing()));
        text.line("aof_last_cow_size", rewrites.lastPeakBytes());
        text.line("module_fork_in_progress", false);
        text.line("module_fork_last_cow_size", 0);
        InfoJournal.write(call, text);
    }

    private static String status(boolean ok) {
        return ok ? "ok" : "err";
    }

    private static String percentage(long part, long whole) {
        return InfoText.decimals(whole == 0 ? 0 : 100.0 * part / whole, 2);
    }
}
