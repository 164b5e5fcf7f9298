package dev.heddle.command.catalog;

import dev.heddle.command.CommandTable;
import dev.heddle.command.admin.ClientCommands;
import dev.heddle.command.admin.CommandCommands;
import dev.heddle.command.admin.ConnectionCommands;
import dev.heddle.command.data.BitCommands;
import dev.heddle.command.data.BitFieldCommands;
import dev.heddle.command.data.CounterCommands;
import dev.heddle.command.data.DatabaseCommands;
import dev.heddle.command.data.ExpireCommands;
import dev.heddle.command.data.KeyCommands;
import dev.heddle.command.data.LcsCommand;
import dev.heddle.command.data.ListCommands;
import dev.heddle.command.data.ObjectCommands;
import dev.heddle.command.data.ScanCommands;
import dev.heddle.command.data.SortCommands;
import dev.heddle.command.data.SortedSetCommands;
import dev.heddle.command.data.StringCommands;
import dev.heddle.command.data.StringRangeCommands;

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
        StringRangeCommands.declare(table);
        CounterCommands.declare(table);
        LcsCommand.declare(table);
        BitCommands.declare(table);
        BitFieldCommands.declare(table);
        ListCommands.declare(table);
        SortCommands.declare(table);
        SortedSetCommands.declare(table);
        return table.build();
    }
}
