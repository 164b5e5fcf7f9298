/** All commands, collected into one table. */
@NullMarked
package dev.heddle.command.catalog;

import org.jspecify.annotations.NullMarked;
