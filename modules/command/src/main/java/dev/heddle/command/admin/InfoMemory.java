package dev.heddle.command.admin;

import dev.heddle.command.Call;
import dev.heddle.command.MemoryGauge;
import dev.heddle.command.ScriptHost;
import java.lang.management.ManagementFactory;
import java.util.Locale;

/**
 * What INFO memory and MEMORY STATS tell, taken at one moment. "Used" is what is counted and limited: data, clients and scripts; "overhead" is what
 * of that is neither key nor value. The heap that all this lies in, with its garbage, has lines of its own.
 *
 * <p>Immutable.
 *
 * @param clients bytes of all connections
 * @param tables bytes of the key tables
 */
record InfoMemory(long used, long peak, long resident, long committed, long clients, long tables) {

    static InfoMemory now(Call call) {
        MemoryGauge gauge = call.engine().memory();
        long tables = 0;
        for (StoreFigures.Database database :
                StoreFigures.databases(call.engine().store(), call.locks(), call.now())) {
            tables += database.overhead();
        }
        // Of the heap that the JVM has reserved, what it has never touched is not resident.
        long resident = gauge.resident();
        long committed = Math.clamp(gauge.committed(), Math.min(gauge.heapUsed(), resident), resident);
        return new InfoMemory(
                gauge.counted(),
                gauge.peak(),
                resident,
                committed,
                call.engine().clientMemory().total(),
                tables);
    }

    long startup() {
        return MemoryGauge.STARTUP;
    }

    long overhead() {
        return Math.min(used, startup() + clients + tables);
    }

    long dataset() {
        return used - overhead();
    }

    /** The share of the data set in what is used beyond the start, in percent. */
    double datasetPercent() {
        return Math.clamp(dataset() * 100.0 / Math.max(1, used - startup()), 0.0, 100.0);
    }

    double peakPercent() {
        return used * 100.0 / Math.max(1, peak);
    }

    double fragmentation() {
        return resident / (double) Math.max(1, used);
    }

    double heapSlack() {
        return committed / (double) Math.max(1, used);
    }

    double residentRatio() {
        return resident / (double) Math.max(1, committed);
    }

    static void write(Call call, InfoText text) {
        InfoMemory memory = now(call);
        long limit = call.engine().settings().memory.maxMemory.value();
        text.section("Memory");
        text.bytes("used_memory", memory.used);
        text.bytes("used_memory_rss", memory.resident);
        text.bytes("used_memory_peak", memory.peak);
        text.line("used_memory_peak_perc", InfoText.decimals(memory.peakPercent(), 2) + "%");
        text.line("used_memory_overhead", memory.overhead());
        text.line("used_memory_startup", memory.startup());
        text.line("used_memory_dataset", memory.dataset());
        text.line("used_memory_dataset_perc", InfoText.decimals(memory.datasetPercent(), 2) + "%");
        text.line("allocator_allocated", memory.used);
        text.line("allocator_active", memory.committed);
        text.line("allocator_resident", memory.committed);
        MemoryGauge gauge = call.engine().memory();
        text.line("heap_used", gauge.heapUsed());
        text.line("heap_committed", gauge.committed());
        text.line("heap_max", gauge.heapMost());
        text.line("heap_capacity", gauge.capacity());
        text.bytes("total_system_memory", systemMemory());
        scripts(text, call.engine().scripts());
        text.bytes("maxmemory", limit);
        text.line("maxmemory_policy", policy(call));
        text.decimal("allocator_frag_ratio", memory.heapSlack());
        text.line("allocator_frag_bytes", memory.committed - memory.used);
        text.line("allocator_rss_ratio", "1.00");
        text.line("allocator_rss_bytes", 0);
        text.decimal("rss_overhead_ratio", memory.residentRatio());
        text.line("rss_overhead_bytes", memory.resident - memory.committed);
        text.decimal("mem_fragmentation_ratio", memory.fragmentation());
        text.line("mem_fragmentation_bytes", memory.resident - memory.used);
        text.line("mem_not_counted_for_evict", 0);
        text.line("mem_replication_backlog", 0);
        text.line("mem_total_replication_buffers", 0);
        text.line("mem_clients_slaves", 0);
        text.line("mem_clients_normal", memory.clients);
        text.line("mem_cluster_links", 0);
        text.line("mem_aof_buffer", 0);
        text.line("mem_allocator", allocator());
        text.line("active_defrag_running", 0);
        text.line("lazyfree_pending_objects", 0);
        text.line("lazyfreed_objects", 0);
    }

    private static void scripts(InfoText text, ScriptHost scripts) {
        long cached = scripts.bytes();
        long libraries = scripts.librarySources().stream()
                .mapToLong(source -> source.length)
                .sum();
        text.line("used_memory_lua", 0);
        text.line("used_memory_vm_eval", 0);
        text.line("used_memory_lua_human", "0B");
        text.line("used_memory_scripts_eval", cached);
        text.line("number_of_cached_scripts", scripts.count());
        text.line("number_of_functions", scripts.functionCount());
        text.line("number_of_libraries", scripts.librarySources().size());
        text.line("used_memory_vm_functions", 0);
        text.bytes("used_memory_vm_total", 0);
        text.line("used_memory_functions", libraries);
        text.bytes("used_memory_scripts", cached + libraries);
    }

    /** The name of the eviction policy, {@code noeviction} for instance. */
    private static String policy(Call call) {
        return call.engine().settings().memory.maxMemoryPolicy.text();
    }

    /** The virtual machine and its collectors: {@code jvm-25-g1_young_generation-...}. */
    static String allocator() {
        StringBuilder name = new StringBuilder("jvm-").append(Runtime.version().feature());
        ManagementFactory.getGarbageCollectorMXBeans().stream()
                .limit(1)
                .forEach(collector -> name.append('-')
                        .append(collector.getName().toLowerCase(Locale.ROOT).replace(' ', '_')));
        return name.toString();
    }

    private static long systemMemory() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.OperatingSystemMXBean system
                ? system.getTotalMemorySize()
                : 0;
    }
}
