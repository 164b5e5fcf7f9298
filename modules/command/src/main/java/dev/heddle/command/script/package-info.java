/** Lua scripts: the commands about them, the interpreter's surroundings, and how values pass between Lua and replies. */
@NullMarked
package dev.heddle.command.script;

import org.jspecify.annotations.NullMarked;
