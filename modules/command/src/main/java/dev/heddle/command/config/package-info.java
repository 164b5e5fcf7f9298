/** Configuration. */
@NullMarked
package dev.heddle.command.config;

import org.jspecify.annotations.NullMarked;
