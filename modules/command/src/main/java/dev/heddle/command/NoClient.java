package dev.heddle.command;

/** The connection of a session that no client has: one in which the server itself acts. Immutable. */
final class NoClient implements Connection {

    @Override
    public String remoteAddress() {
        return "";
    }

    @Override
    public String localAddress() {
        return "";
    }

    @Override
    public int descriptor() {
        return -1;
    }

    @Override
    public void close() {
        // there is nobody to be left alone
    }

    @Override
    public int inputUsed() {
        return 0;
    }

    @Override
    public int inputFree() {
        return 0;
    }

    @Override
    public long bufferBytes() {
        return 0;
    }
}
