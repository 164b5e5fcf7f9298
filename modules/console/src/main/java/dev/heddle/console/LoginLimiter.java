package dev.heddle.console;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Slows down whoever guesses passwords: after a few failures an address has to wait, twice as long each time; and all together may fail
 * only so often a minute.
 *
 * <p>Thread-safe.
 */
final class LoginLimiter {

    private static final int FREE_TRIES = 5;
    private static final long LONGEST_WAIT_MILLIS = 60_000;
    private static final int ADDRESSES = 1000;
    private static final int FAILURES_A_MINUTE = 100;
    private static final long FORGET_MILLIS = 15 * 60_000L;

    private record Failures(int count, long lastMillis) {}

    private final ReentrantLock lock = new ReentrantLock();
    /** Guarded by the lock; the address that failed longest ago comes first. */
    private final Map<String, Failures> byAddress = new LinkedHashMap<>();

    private long minute; // guarded by lock
    private int inMinute; // guarded by lock

    /** Milliseconds that this address has to wait before it may try, 0 if it may now. */
    long wait(String address, long nowMillis) {
        lock.lock();
        try {
            if (nowMillis / 60_000 == minute && inMinute >= FAILURES_A_MINUTE) {
                return 60_000 - nowMillis % 60_000;
            }
            Failures failures = byAddress.get(address);
            if (failures == null || failures.count < FREE_TRIES || nowMillis - failures.lastMillis > FORGET_MILLIS) {
                return 0;
            }
            long pause = Math.min(LONGEST_WAIT_MILLIS, 1000L << Math.min(10, failures.count - FREE_TRIES));
            return Math.max(0, failures.lastMillis + pause - nowMillis);
        } finally {
            lock.unlock();
        }
    }

    void failed(String address, long nowMillis) {
        lock.lock();
        try {
            if (nowMillis / 60_000 != minute) {
                minute = nowMillis / 60_000;
                inMinute = 0;
            }
            inMinute++;
            Failures before = byAddress.remove(address);
            int count = before == null || nowMillis - before.lastMillis > FORGET_MILLIS ? 1 : before.count + 1;
            byAddress.put(address, new Failures(count, nowMillis));
            if (byAddress.size() > ADDRESSES) {
                byAddress.remove(byAddress.keySet().iterator().next());
            }
        } finally {
            lock.unlock();
        }
    }

    void succeeded(String address) {
        lock.lock();
        try {
            byAddress.remove(address);
        } finally {
            lock.unlock();
        }
    }
}
