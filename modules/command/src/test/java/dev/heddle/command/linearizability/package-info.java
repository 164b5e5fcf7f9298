/** Shows that concurrent commands look as if they ran one after the other, and that the tests would notice if they did not. */
@NullMarked
package dev.heddle.command.linearizability;

import org.jspecify.annotations.NullMarked;
