/**
 * The server's configuration: the catalogue of directives, the redis.conf reader, CONFIG GET, SET and REWRITE.
 *
 * <p>A configuration text is a string of bytes: every {@code char} holds one byte (ISO-8859-1), as {@link
 * dev.heddle.command.config.ConfigText} explains.
 */
@NullMarked
package dev.heddle.command.config;

import org.jspecify.annotations.NullMarked;
