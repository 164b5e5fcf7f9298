/** Writing the contents of one moment while the store goes on changing; see docs/adr/0007-snapshots-without-fork.md. */
@NullMarked
package dev.heddle.persistence.snapshot;

import org.jspecify.annotations.NullMarked;
