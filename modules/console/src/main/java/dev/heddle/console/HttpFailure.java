package dev.heddle.console;

import java.io.Serial;

/** A request that is refused: the status and a text for its sender. */
final class HttpFailure extends Exception {

    @Serial
    private static final long serialVersionUID = 1;

    private final int status;

    HttpFailure(int status, String text) {
        super(text, null, false, false);
        this.status = status;
    }

    int status() {
        return status;
    }

    String text() {
        return String.valueOf(getMessage());
    }
}
