/** Redis's snapshot format: reading and writing files, and single values for DUMP and RESTORE. */
@NullMarked
package dev.heddle.persistence.rdb;

import org.jspecify.annotations.NullMarked;
