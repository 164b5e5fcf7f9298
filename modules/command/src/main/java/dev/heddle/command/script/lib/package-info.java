/**
 * The libraries that scripts see: cjson, cmsgpack, struct, bit, and the parts of Lua 5.1 that the interpreter lacks.
 */
@NullMarked
package dev.heddle.command.script.lib;

import org.jspecify.annotations.NullMarked;
