/**
 * The append-only file: one thread that writes what commands have done, the directory of its files, and how they are read back.
 */
@NullMarked
package dev.heddle.persistence.aof;

import org.jspecify.annotations.NullMarked;
