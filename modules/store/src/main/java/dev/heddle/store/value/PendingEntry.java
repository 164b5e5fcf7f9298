package dev.heddle.store.value;

/**
 * An entry of a stream that a consumer of a group has been given and has not acknowledged.
 *
 * <p>Guarded by the lock of the stripe that the stream's key lies in.
 */
public final class PendingEntry {

    private final StreamId id;
    private StreamConsumer consumer;
    private long deliveredMillis;
    private long deliveries;

    PendingEntry(StreamId id, StreamConsumer consumer, long deliveredMillis, long deliveries) {
        this.id = id;
        this.consumer = consumer;
        this.deliveredMillis = deliveredMillis;
        this.deliveries = deliveries;
    }

    public StreamId id() {
        return id;
    }

    /** Whose it is. */
    public StreamConsumer consumer() {
        return consumer;
    }

    void consumer(StreamConsumer owner) {
        consumer = owner;
    }

    /** When it was given out the last time, in milliseconds since the epoch. */
    public long deliveredMillis() {
        return deliveredMillis;
    }

    /** How often it was given out. */
    public long deliveries() {
        return deliveries;
    }

    /** Notes when, and how often, it was given out. */
    public void delivered(long millis, long times) {
        deliveredMillis = millis;
        deliveries = times;
    }
}
