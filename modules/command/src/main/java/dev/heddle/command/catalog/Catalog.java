package dev.heddle.command.catalog;

import dev.heddle.command.CommandTable;
import dev.heddle.command.admin.ClientCommands;
import dev.heddle.command.admin.CommandCommands;
import dev.heddle.command.admin.ConnectionCommands;
import dev.heddle.command.data.DatabaseCommands;
import dev.heddle.command.data.ExpireCommands;
import dev.heddle.command.data.KeyCommands;
import dev.heddle.command.data.ObjectCommands;
import dev.heddle.command.data.ScanCommands;
import dev.heddle.command.data.SortedSetCommands;
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
        SortedSetCommands.declare(table);
        return table.build();
    }
}
