package dev.heddle.command.config;

/** Who may use a protected command or directive. */
public enum Permission {
    /** Nobody. */
    NO,
    /** Everybody. */
    YES,
    /** Clients on this machine: through the loopback interface or the Unix socket. */
    LOCAL;

    /** Whether a client may. */
    public boolean allows(boolean localClient) {
        return this == YES || (this == LOCAL && localClient);
    }
}
