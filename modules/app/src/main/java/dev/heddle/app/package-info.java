/**
 * The server program: reads flags and the configuration file, makes the big objects, wires them and runs them until it is
 * told to stop. The only place where modules meet.
 */
@NullMarked
package dev.heddle.app;

import org.jspecify.annotations.NullMarked;
