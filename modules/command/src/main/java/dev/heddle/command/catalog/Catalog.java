package dev.heddle.command.catalog;

import dev.heddle.command.CommandTable;
import dev.heddle.command.data.SortedSetCommands;
import dev.heddle.command.data.StringCommands;

/** All commands there are: the one list of the files that declare them. Stateless. */
public final class Catalog {

    private Catalog() {}

    public static CommandTable build() {
        CommandTable.Builder table = new CommandTable.Builder();
        StringCommands.declare(table);
        SortedSetCommands.declare(table);
        return table.build();
    }
}
