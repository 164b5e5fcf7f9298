/**
 * The data: numbered databases that share one array of lock stripes, their entries, expiry, memory accounting and
 * eviction. A stripe's lock covers a whole command on its keys; everything below it is plain single-threaded code.
 */
@NullMarked
package dev.heddle.store;

import org.jspecify.annotations.NullMarked;
