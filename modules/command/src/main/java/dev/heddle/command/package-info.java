/**
 * The command machinery: the table that declares every command, the dispatcher that checks arity and takes the locks,
 * and the ports that outer modules implement. The commands themselves live in packages below this one.
 */
@NullMarked
package dev.heddle.command;

import org.jspecify.annotations.NullMarked;
