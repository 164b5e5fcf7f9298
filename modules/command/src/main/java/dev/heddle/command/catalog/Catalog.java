package dev.heddle.command.catalog;

import dev.heddle.command.CommandTable;
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
import dev.heddle.command.admin.ServerCommands;
import dev.heddle.command.admin.SlowLogCommands;
import dev.heddle.command.data.DatabaseCommands;
import dev.heddle.command.data.ExpireCommands;
import dev.heddle.command.data.KeyCommands;
import dev.heddle.command.data.ObjectCommands;
import dev.heddle.command.data.ScanCommands;
import dev.heddle.command.data.StringCommands;

/** All commands there are: the one list of the files that declare them. Stateless. */
public final class Catalog {

    private Catalog() {}

    public static CommandTable build() {
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
        InfoCommand.declare(table);
        ServerCommands.declare(table);
        ClusterCommands.declare(table);
        SlowLogCommands.declare(table);
        LatencyCommands.declare(table);
        LolwutCommand.declare(table);
        MemoryCommands.declare(table);
        DebugCommands.declare(table);
        ConfigCommands.declare(table);
        return table.build();
    }
}
