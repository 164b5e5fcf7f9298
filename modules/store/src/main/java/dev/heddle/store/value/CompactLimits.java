package dev.heddle.store.value;

/**
 * Up to which size a set or hash keeps its compact form. Immutable.
 *
 * @param integers members of a set of integers; hashes have none
 * @param entries members, or fields
 * @param bytes length of a member, field or value
 */
public record CompactLimits(long integers, long entries, long bytes) {}
