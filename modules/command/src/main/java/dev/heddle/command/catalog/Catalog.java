package dev.heddle.command.catalog;

import dev.heddle.command.CommandTable;
import dev.heddle.command.TransactionCommands;
import dev.heddle.command.admin.ClientCommands;
import dev.heddle.command.admin.ClusterCommands;
import dev.heddle.command.admin.CommandCommands;
import dev.heddle.command.admin.ConfigCommands;
import dev.heddle.command.admin.ConnectionCommands;
import dev.heddle.command.admin.DebugCommands;
import dev.heddle.command.admin.InfoCommand;
import dev.heddle.command.admin.LatencyCommands;
import dev.heddle.command.admin.LolwutCommand;
import dev.heddle.command.admin.MemoryCommands;
import dev.heddle.command.admin.MonitorCommand;
import dev.heddle.command.admin.PubSubCommands;
import dev.heddle.command.admin.ServerCommands;
import dev.heddle.command.admin.SlowLogCommands;
import dev.heddle.command.admin.SnapshotCommands;
import dev.heddle.command.data.BitCommands;
import dev.heddle.command.data.BitFieldCommands;
import dev.heddle.command.data.BlockingCommands;
import dev.heddle.command.data.CounterCommands;
import dev.heddle.command.data.DatabaseCommands;
import dev.heddle.command.data.ExpireCommands;
import dev.heddle.command.data.GeoCommands;
import dev.heddle.command.data.HashCommands;
import dev.heddle.command.data.HashExtendedCommands;
import dev.heddle.command.data.HashFieldExpiryCommands;
import dev.heddle.command.data.HashRandomCommands;
import dev.heddle.command.data.HyperLogLogCommands;
import dev.heddle.command.data.KeyCommands;
import dev.heddle.command.data.LcsCommand;
import dev.heddle.command.data.ListCommands;
import dev.heddle.command.data.ObjectCommands;
import dev.heddle.command.data.ScanCommands;
import dev.heddle.command.data.SetAlgebraCommands;
import dev.heddle.command.data.SetCommands;
import dev.heddle.command.data.SetRandomCommands;
import dev.heddle.command.data.SortCommands;
import dev.heddle.command.data.SortedSetCommands;
import dev.heddle.command.data.StreamCommands;
import dev.heddle.command.data.StringCommands;
import dev.heddle.command.data.StringRangeCommands;
import dev.heddle.command.script.FunctionCommands;
import dev.heddle.command.script.ScriptCommands;
import dev.heddle.command.script.Scripts;
import java.util.function.Consumer;

/** All commands there are: the one list of the files that declare them, but for those of other modules. Stateless. */
public final class Catalog {

    private Catalog() {}

    /** @param others declare the commands of other modules */
    @SafeVarargs
    public static CommandTable build(Consumer<CommandTable.Builder>... others) {
        CommandTable.Builder table = new CommandTable.Builder();
        KeyCommands.declare(table);
        ExpireCommands.declare(table);
        ScanCommands.declare(table);
        DatabaseCommands.declare(table);
        ObjectCommands.declare(table);
        StringCommands.declare(table);
        ConnectionCommands.declare(table);
        ClientCommands.declare(table);
        CommandCommands.declare(table);
        ListCommands.declare(table);
        SortCommands.declare(table);
        StringRangeCommands.declare(table);
        CounterCommands.declare(table);
        LcsCommand.declare(table);
        BitCommands.declare(table);
        BitFieldCommands.declare(table);
        SortedSetCommands.declare(table);
        SetCommands.declare(table);
        SetRandomCommands.declare(table);
        SetAlgebraCommands.declare(table);
        HashCommands.declare(table);
        HashRandomCommands.declare(table);
        HashFieldExpiryCommands.declare(table);
        HashExtendedCommands.declare(table);
        StreamCommands.declare(table);
        HyperLogLogCommands.declare(table);
        GeoCommands.declare(table);
        InfoCommand.declare(table);
        ServerCommands.declare(table);
        SnapshotCommands.declare(table);
        ClusterCommands.declare(table);
        SlowLogCommands.declare(table);
        LatencyCommands.declare(table);
        LolwutCommand.declare(table);
        TransactionCommands.declare(table);
        BlockingCommands.declare(table);
        table.scripts(new Scripts());
        ScriptCommands.declare(table);
        FunctionCommands.declare(table);
        PubSubCommands.declare(table);
        MonitorCommand.declare(table);
        MemoryCommands.declare(table);
        DebugCommands.declare(table);
        ConfigCommands.declare(table);
        for (Consumer<CommandTable.Builder> other : others) {
            other.accept(table);
        }
        return table.build();
    }
}
