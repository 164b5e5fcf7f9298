package dev.heddle.command;

/**
 * One command as it is repeated when a journal is read back: it states an effect (absolute times, chosen members), not a wish.
 *
 * <p>Immutable: nobody changes the arrays.
 *
 * @param database where it takes place
 * @param command its arguments, the name first
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Effect(int database, byte[][] command) {}
