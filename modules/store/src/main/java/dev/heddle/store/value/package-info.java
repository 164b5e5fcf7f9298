/** The types of values: plain single-threaded structures that know nothing of locks, keys or commands. */
@NullMarked
package dev.heddle.store.value;

import org.jspecify.annotations.NullMarked;
