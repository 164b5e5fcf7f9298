package dev.heddle.resp;

/**
 * The configurable bounds on what a client may send, shared by the readers of all connections so that
 * {@code CONFIG SET} takes effect at once.
 *
 * <p>Thread-safe: each limit is one volatile field of its own.
 */
public final class ProtocolLimits {
    /** Arguments a client may send in one command before it has authenticated. */
    static final int UNAUTHENTICATED_ARGUMENTS = 10;

    /** Bytes an argument may hold before the client has authenticated. */
    static final int UNAUTHENTICATED_BULK = 16384;

    /** Bytes an inline command or a length line may hold. */
    static final int LINE = 64 * 1024;

    /** The longest argument whatever the configuration says: what one array can hold. */
    private static final long LONGEST_ARRAY = Integer.MAX_VALUE - 64L;

    private volatile long maxBulk = 512L * 1024 * 1024;
    private volatile long queryBufferLimit = 1024L * 1024 * 1024;

    /** The limits that Redis has unless configured. */
    public ProtocolLimits() {}

    /** Bytes one argument may hold ({@code proto-max-bulk-len}); 512 MiB unless set. */
    public long maxBulk() {
        return maxBulk;
    }

    /** Sets {@code proto-max-bulk-len}; what exceeds the longest Java array is cut to that. */
    public void maxBulk(long bytes) {
        maxBulk = Math.min(bytes, LONGEST_ARRAY);
    }

    /** Bytes one connection may hold unexecuted ({@code client-query-buffer-limit}); 1 GiB unless set. */
    public long queryBufferLimit() {
        return queryBufferLimit;
    }

    /** Sets {@code client-query-buffer-limit}, in bytes. */
    public void queryBufferLimit(long bytes) {
        queryBufferLimit = bytes;
    }
}
