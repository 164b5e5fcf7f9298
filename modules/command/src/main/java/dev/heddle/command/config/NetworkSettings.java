package dev.heddle.command.config;

import static dev.heddle.command.config.Row.accepted;
import static dev.heddle.command.config.Row.active;

import dev.heddle.command.config.Row.Trait;
import java.util.List;

/** How clients reach the server and what one connection may take. Thread-safe, as its settings are. */
public final class NetworkSettings {
    private static final long MEGABYTE = 1L << 20;

    /** TCP port, 0 for none. */
    public final Setting<Integer> port;

    /** Addresses to listen on; {@code *} is every IPv4 one, {@code ::*} every IPv6 one, a leading {@code -} optional. */
    public final Setting<List<String>> bind;

    /** Path of the Unix socket; empty for none. */
    public final Setting<String> unixSocket;

    /** Permission bits of the Unix socket, 0 to leave them to the process's umask. */
    public final Setting<Long> unixSocketPermissions;

    /** Length of the queue of connections that wait for being accepted. */
    public final Setting<Integer> tcpBacklog;

    /** Seconds between TCP keep-alive probes, 0 for none. */
    public final Setting<Integer> tcpKeepAlive;

    /** Seconds after which an idle client is disconnected, 0 for never. */
    public final Setting<Integer> timeout;

    /** Clients at a time, at least 1. */
    public final Setting<Long> maxClients;

    /** Refuse clients from other machines while there is no password. */
    public final Setting<Boolean> protectedMode;

    /** Password of the default user; empty for none. */
    public final Setting<String> requirePass;

    /** Largest argument of a command in bytes. */
    public final Setting<Long> maxBulkLength;

    /** Bytes of one client's unfinished command. */
    public final Setting<Long> queryBufferLimit;

    /** Bytes that may wait for slow clients, per class of clients. */
    public final Setting<OutputLimits> outputLimits;

    /** Bytes for the buffers of all clients together, 0 for no limit; -5 is 5 % of maxmemory. */
    public final Setting<Long> maxMemoryClients;

    NetworkSettings(Catalogue rows) {
        bind = rows.add(active("bind"), List.of("*", "-::*"), Codecs.addresses());
        port = rows.integer(active("port"), 6379, 0, 65535);
        unixSocket = rows.optional(active("unixsocket").with(Trait.IMMUTABLE));
        unixSocketPermissions = rows.add(
                active("unixsocketperm").with(Trait.IMMUTABLE), 0L, new NumberCodec(NumberCodec.Form.OCTAL, 0, 0777));
        tcpBacklog = rows.integer(active("tcp-backlog").with(Trait.IMMUTABLE), 511, 0, Integer.MAX_VALUE);
        tcpKeepAlive = rows.integer(active("tcp-keepalive"), 300, 0, Integer.MAX_VALUE);
        timeout = rows.integer(active("timeout"), 0, 0, Integer.MAX_VALUE);
        maxClients = rows.number(active("maxclients"), 10_000, 1, 0xFFFF_FFFFL);
        protectedMode = rows.yesNo(active("protected-mode"), true);
        requirePass = rows.optional(active("requirepass").with(Trait.SENSITIVE));
        maxBulkLength = rows.memory(active("proto-max-bulk-len"), 512 * MEGABYTE, MEGABYTE);
        queryBufferLimit = rows.memory(active("client-query-buffer-limit"), 1024 * MEGABYTE, MEGABYTE);
        outputLimits =
                rows.add(active("client-output-buffer-limit"), OutputLimits.INITIAL, new OutputLimits.LimitsCodec());
        maxMemoryClients = rows.add(
                active("maxmemory-clients"),
                0L,
                new NumberCodec(NumberCodec.Form.MEMORY_OR_PERCENT, -100, NumberCodec.UNLIMITED));
        rows.optional(accepted("bind-source-addr"));
        rows.number(accepted("socket-mark-id").with(Trait.IMMUTABLE), 0, 0, 0xFFFF_FFFFL);
    }
}
