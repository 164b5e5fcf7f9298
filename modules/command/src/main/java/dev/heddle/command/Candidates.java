package dev.heddle.command;

import org.jspecify.annotations.Nullable;

/**
 * The best keys to evict that samples have found so far, the best one last. Guarded by the evictor's lock.
 *
 * <p>A sample of five keys finds a key among the least used only now and then; what it finds is kept here, so that over many samples the
 * choice comes close to that of an exact order of all keys.
 */
final class Candidates {

    static final int MOST = 16;

    /**
     * A key.
     *
     * @param score how good it is to evict it, more is better
     */
    record Candidate(KeyName key, long score) {}

    private final @Nullable Candidate[] best = new Candidate[MOST];
    private int count;

    /** Offers a key; it is kept if it is better than the worst, or there is room. */
    void offer(KeyName key, long score) {
        int place = 0;
        while (place < count && scoreAt(place) < score) {
            place++;
        }
        if (holds(key) || (count == MOST && place == 0)) {
            return;
        }
        if (count == MOST) {
            System.arraycopy(best, 1, best, 0, place - 1);
            place--;
        } else {
            System.arraycopy(best, place, best, place + 1, count - place);
            count++;
        }
        best[place] = new Candidate(key, score);
    }

    /** Takes the best one; null if there is none. */
    @Nullable
    Candidate take() {
        if (count == 0) {
            return null;
        }
        count--;
        Candidate taken = best[count];
        best[count] = null;
        return taken;
    }

    void clear() {
        while (take() != null) {
            // goes on until it is empty
        }
    }

    private long scoreAt(int place) {
        Candidate candidate = best[place];
        return candidate == null ? Long.MIN_VALUE : candidate.score();
    }

    private boolean holds(KeyName key) {
        for (int i = 0; i < count; i++) {
            Candidate candidate = best[i];
            if (candidate != null && candidate.key().equals(key)) {
                return true;
            }
        }
        return false;
    }
}
