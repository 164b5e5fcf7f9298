/**
 * What faces the network: listeners, one virtual thread per connection with its read, execute and write loop, output
 * limits and shutdown.
 */
@NullMarked
package dev.heddle.server;

import org.jspecify.annotations.NullMarked;
