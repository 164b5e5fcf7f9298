/** The commands that work on data, one file per type, and what they share. */
@NullMarked
package dev.heddle.command.data;

import org.jspecify.annotations.NullMarked;
