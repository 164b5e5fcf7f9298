/** What keeps the data set on the disk: the append-only file, snapshots and the RDB codec. */
@NullMarked
package dev.heddle.persistence;

import org.jspecify.annotations.NullMarked;
