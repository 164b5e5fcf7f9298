package dev.heddle.command.admin;

import dev.heddle.command.Call;
import dev.heddle.store.Entry;
import dev.heddle.store.Store;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** DEBUG POPULATE. Stateless. */
final class DebugPopulate {

    private DebugPopulate() {}

    /** {@code DEBUG POPULATE count [prefix] [size]}: takes one stripe at a time, and is not recorded. */
    static void run(Call call) {
        long count = call.positiveArg(2);
        byte[] prefix = call.argc() > 3 ? call.arg(3) : bytes("key");
        int size = call.argc() > 4 ? (int) Math.min(call.positiveArg(4), Integer.MAX_VALUE - 64) : 0;
        Store store = call.engine().store();
        boolean lockHere = !call.locks().isHeld();
        for (long i = 0; i < count; i++) {
            byte[] suffix = bytes(":" + i);
            byte[] key = Arrays.copyOf(prefix, prefix.length + suffix.length);
            System.arraycopy(suffix, 0, key, prefix.length, suffix.length);
            long hash = store.hash(key);
            if (lockHere) {
                call.locks().lock(hash, true);
            }
            try {
                if (store.find(call.database(), key, 0, key.length, hash) == null) {
                    byte[] value = bytes("value:" + i);
                    store.add(call.database(), key, hash, size == 0 ? value : Arrays.copyOf(value, size), Entry.NEVER);
                }
            } finally {
                if (lockHere) {
                    call.locks().unlock();
                }
            }
        }
        call.reply().ok();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
