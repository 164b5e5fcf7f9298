package dev.heddle.command.admin;

import dev.heddle.command.Call;
import dev.heddle.command.Journal;
import dev.heddle.command.LoadProgress;

/** The last lines of INFO persistence: the append-only file's sizes, and how far loading is. Stateless. */
final class InfoJournal {

    private InfoJournal() {}

    static void write(Call call, InfoText text) {
        Journal journal = call.engine().keyspace().journal();
        if (journal.isOpen()) {
            Journal.Figures figures = journal.figures();
            text.line("aof_current_size", figures.currentSize());
            text.line("aof_base_size", figures.baseSize());
            text.line("aof_pending_rewrite", figures.pendingRewrite());
            text.line("aof_buffer_length", figures.buffered());
            text.line("aof_pending_bio_fsync", figures.forcing());
            text.line("aof_delayed_fsync", figures.delayed());
        }
        if (call.engine().loading().active()) {
            loading(call, text);
        }
    }

    private static void loading(Call call, InfoText text) {
        LoadProgress progress = call.engine().loading();
        long total = Math.max(1, progress.totalBytes());
        long loaded = Math.min(total, progress.loadedBytes());
        long elapsed = Math.max(0, call.now() - progress.startedMillis()) / 1000;
        text.line("loading_start_time", progress.startedMillis() / 1000);
        text.line("loading_total_bytes", progress.totalBytes());
        text.line("loading_rdb_used_mem", 0);
        text.line("loading_loaded_bytes", loaded);
        text.line("loading_loaded_perc", InfoText.decimals(100.0 * loaded / total, 2));
        text.line("loading_eta_seconds", loaded == 0 ? 1 : elapsed * (total - loaded) / loaded);
    }
}
