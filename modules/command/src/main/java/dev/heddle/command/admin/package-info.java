/** Commands about connections, the server and the commands themselves. */
@NullMarked
package dev.heddle.command.admin;

import org.jspecify.annotations.NullMarked;
