package dev.heddle.persistence.rdb;

import java.io.IOException;

/** A file or payload in Redis's snapshot format that is damaged, or holds what this server does not know. Says where and what. */
public final class RdbException extends IOException {

    private static final long serialVersionUID = 1L;

    /** @param message for the operator, one line */
    public RdbException(String message) {
        super(message);
    }
}
