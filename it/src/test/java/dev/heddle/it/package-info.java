/**
 * Black-box tests: they start the unpacked distribution as a user would and see nothing of the program but its files,
 * its output and its socket.
 */
@NullMarked
package dev.heddle.it;

import org.jspecify.annotations.NullMarked;
