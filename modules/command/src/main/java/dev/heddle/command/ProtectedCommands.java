package dev.heddle.command;

import dev.heddle.command.config.Settings;

/** Commands that an attacker who reaches the port could do harm with: refused unless the configuration allows them. Stateless. */
final class ProtectedCommands {

    private ProtectedCommands() {}

    static boolean allowed(Settings settings, CommandSpec spec, Connection connection) {
        return switch (container(spec)) {
            case "debug" -> settings.server.enableDebugCommand.value().allows(isLocal(connection));
            case "module" -> settings.server.enableModuleCommand.value().allows(isLocal(connection));
            default -> throw new IllegalStateException("no setting protects " + spec.fullName());
        };
    }

    static String refusal(CommandSpec spec) {
        String command = container(spec);
        return "ERR " + command.toUpperCase(java.util.Locale.ROOT)
                + " command not allowed. If the enable-" + command
                + "-command option is set to \"local\", you can run it from a"
                + " local connection, otherwise you need to set this option in the configuration file, and then restart the"
                + " server.";
    }

    private static String container(CommandSpec spec) {
        CommandSpec parent = spec.parent();
        return parent == null ? spec.name() : parent.name();
    }

    /** Whether a client is on this machine. */
    static boolean isLocal(Connection connection) {
        String address = connection.remoteAddress();
        return address.startsWith("127.") || address.startsWith("[::1]") || address.startsWith("/");
    }
}
