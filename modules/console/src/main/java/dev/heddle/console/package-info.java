/** HTTP: the web console, its JSON interface, metrics, health. The way in is {@link dev.heddle.console.Console}. */
@NullMarked
package dev.heddle.console;

import org.jspecify.annotations.NullMarked;
