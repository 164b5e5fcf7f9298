/**
 * RESP2 and RESP3, the protocol that clients speak: a reader that cuts a byte stream into commands, a writer for every
 * reply type, inline commands, and the protocol's limits. It knows bytes and nothing of what a command means.
 */
@NullMarked
package dev.heddle.resp;

import org.jspecify.annotations.NullMarked;
