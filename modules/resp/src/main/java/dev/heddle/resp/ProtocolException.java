package dev.heddle.resp;

import java.io.Serial;

/**
 * The client broke the protocol: the connection must be closed after at most one error reply.
 *
 * <p>The message is the error text without the leading {@code ERR }; each character is one byte (ISO 8859-1). The
 * exception has no stack trace, and those with a fixed text are shared, so that a flood of garbage costs little.
 *
 * <p>Immutable.
 */
@SuppressWarnings("StaticAssignmentOfThrowable") // they have neither a stack trace nor suppressed exceptions
public final class ProtocolException extends Exception {
    /** What the server does about it. */
    public enum Kind {
        /** Reply with the message as an error, then close. */
        PROTOCOL,
        /** Close without a reply; the log names the limit. */
        QUERY_BUFFER_LIMIT,
        /** Close without a reply; the log says that a TLS client called on a plain port. */
        TLS_HELLO
    }

    @Serial
    private static final long serialVersionUID = 1L;

    static final ProtocolException TOO_BIG_COUNT_LINE = protocol("too big mbulk count string");
    static final ProtocolException INVALID_COUNT = protocol("invalid multibulk length");
    static final ProtocolException UNAUTHENTICATED_COUNT = protocol("unauthenticated multibulk length");
    static final ProtocolException TOO_BIG_BULK_LINE = protocol("too big bulk count string");
    static final ProtocolException INVALID_BULK = protocol("invalid bulk length");
    static final ProtocolException UNAUTHENTICATED_BULK = protocol("unauthenticated bulk length");
    static final ProtocolException TOO_BIG_INLINE = protocol("too big inline request");
    static final ProtocolException NO_LINE_END = protocol("no line end behind an argument");
    static final ProtocolException UNBALANCED_QUOTES = protocol("unbalanced quotes in request");
    static final ProtocolException QUERY_BUFFER =
            new ProtocolException(Kind.QUERY_BUFFER_LIMIT, "query buffer limit reached");
    static final ProtocolException TLS =
            new ProtocolException(Kind.TLS_HELLO, "TLS handshake received on a plain-text port");

    private final Kind kind;

    private ProtocolException(Kind kind, String text) {
        super(text, null, false, false);
        this.kind = kind;
    }

    static ProtocolException protocol(String detail) {
        return new ProtocolException(Kind.PROTOCOL, "Protocol error: " + detail);
    }

    static ProtocolException expectedDollar(byte got) {
        return protocol("expected '$', got '" + (char) (got & 0xff) + "'");
    }

    /** What the server does about it. */
    public Kind kind() {
        return kind;
    }

    /** The error text without {@code ERR }. */
    public String text() {
        return String.valueOf(getMessage());
    }
}
