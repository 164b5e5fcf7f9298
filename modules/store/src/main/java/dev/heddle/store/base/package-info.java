/** Building blocks that the keyspace and the values share. */
@NullMarked
package dev.heddle.store.base;

import org.jspecify.annotations.NullMarked;
