package dev.heddle.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.redisson.Redisson;
import org.redisson.api.BatchOptions;
import org.redisson.api.RAtomicLong;
import org.redisson.api.RBatch;
import org.redisson.api.RBlockingQueue;
import org.redisson.api.RBucket;
import org.redisson.api.RClientSideCaching;
import org.redisson.api.RCountDownLatch;
import org.redisson.api.RDelayedQueue;
import org.redisson.api.RFuture;
import org.redisson.api.RLock;
import org.redisson.api.RMapCache;
import org.redisson.api.RPatternTopic;
import org.redisson.api.RPermitExpirableSemaphore;
import org.redisson.api.RRateLimiter;
import org.redisson.api.RReadWriteLock;
import org.redisson.api.RScoredSortedSet;
import org.redisson.api.RSemaphore;
import org.redisson.api.RSetCache;
import org.redisson.api.RTopic;
import org.redisson.api.RTransaction;
import org.redisson.api.RateType;
import org.redisson.api.RedissonClient;
import org.redisson.api.TransactionOptions;
import org.redisson.api.map.event.EntryExpiredListener;
import org.redisson.api.options.ClientSideCachingOptions;
import org.redisson.client.codec.IntegerCodec;
import org.redisson.client.codec.StringCodec;
import org.redisson.codec.CompositeCodec;
import org.redisson.config.Config;
import org.redisson.config.Protocol;

/** Redisson's objects, shared by two clients of which one speaks RESP2 and the other RESP3. Most are Lua scripts. */
@SuppressWarnings("LockNotBeforeTry") // when and by whom a lock is released is what is tested
class RedissonIT {

    private static final Duration SOON = Duration.ofSeconds(5);
    private static final long WATCHDOG_MILLIS = 900;

    private static RunningServer heddle;
    private static RedissonClient one;
    private static RedissonClient two;

    @BeforeAll
    static void start() {
        heddle = HeddleServer.start();
        one = client(Protocol.RESP2);
        two = client(Protocol.RESP3);
    }

    private static RedissonClient client(Protocol protocol) {
        Config config = new Config();
        config.setProtocol(protocol).setLockWatchdogTimeout(WATCHDOG_MILLIS);
        config.useSingleServer().setAddress("redis://127.0.0.1:" + heddle.port());
        return Redisson.create(config);
    }

    @AfterAll
    static void stop() {
        one.shutdown(0, 2, TimeUnit.SECONDS);
        two.shutdown(0, 2, TimeUnit.SECONDS);
        heddle.close();
    }

    @BeforeEach
    void clear() {
        one.getKeys().flushall();
    }

    /** Runs in a thread of its own: Redisson's locks belong to threads. */
    private static <T> T elsewhere(Callback<T> callback) {
        try (ExecutorService executor = Executors.newSingleThreadExecutor()) {
            Future<T> result = executor.submit(callback::run);
            return result.get(10, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private interface Callback<T> {
        T run() throws InterruptedException;
    }

    @Test
    void aLockIsHeldByOneAndEnteredAgain() throws InterruptedException {
        RLock lock = one.getLock("lock");
        RLock same = two.getLock("lock");
        lock.lock();
        lock.lock();
        assertThat(lock.getHoldCount()).isEqualTo(2);
        assertThat(same.isLocked()).isTrue();
        assertThat(same.tryLock()).isFalse();
        assertThat(same.tryLock(50, 1_000, TimeUnit.MILLISECONDS)).isFalse();
        assertThatThrownBy(same::unlock).isInstanceOf(IllegalMonitorStateException.class);
        lock.unlock();
        assertThat(same.tryLock()).isFalse();
        lock.unlock();
        assertThat(same.tryLock()).isTrue();
        same.unlock();
        assertThat(lock.isLocked()).isFalse();
    }

    @Test
    void unlockingWakesTheOneWhoWaits() {
        RLock lock = one.getLock("lock");
        lock.lock();
        CompletableFuture<Boolean> waiting = CompletableFuture.supplyAsync(() -> elsewhere(() -> {
            boolean locked = two.getLock("lock").tryLock(8, 5, TimeUnit.SECONDS);
            two.getLock("lock").unlock();
            return locked;
        }));
        awaitChannel("redisson_lock__channel:{lock}");
        assertThat(waiting).isNotDone();
        lock.unlock();
        assertThat(waiting).succeedsWithin(SOON).isEqualTo(true);
    }

    private static void awaitChannel(String channel) {
        try (RawClient raw = heddle.connect()) {
            Awaitility.await()
                    .atMost(SOON)
                    .until(() ->
                            raw.call("PUBSUB", "CHANNELS", channel).elements().size() == 1);
        }
    }

    @Test
    void aLeaseEndsAndTheWatchdogRenews() {
        RLock leased = one.getLock("leased");
        leased.lock(200, TimeUnit.MILLISECONDS);
        RLock watched = one.getLock("watched");
        watched.lock();
        long start = System.nanoTime();
        Awaitility.await().atMost(SOON).until(() -> two.getLock("leased").tryLock());
        assertThat(Duration.ofNanos(System.nanoTime() - start))
                .isBetween(Duration.ofMillis(100), Duration.ofSeconds(3));
        // The lock without a lease outlives its time to live: it is renewed as long as its client lives.
        Awaitility.await()
                .pollDelay(Duration.ofMillis(WATCHDOG_MILLIS * 3 / 2))
                .atMost(SOON)
                .until(() -> watched.isHeldByCurrentThread()
                        || one.getLock("watched").remainTimeToLive() > 0);
        assertThat(two.getLock("watched").tryLock()).isFalse();
        watched.unlock();
        assertThat(two.getLock("watched").tryLock()).isTrue();
        two.getLock("watched").unlock();
    }

    @Test
    void criticalSectionsNeverOverlap() {
        int threads = 6;
        int rounds = 20;
        AtomicBoolean inside = new AtomicBoolean();
        AtomicInteger overlaps = new AtomicInteger();
        RAtomicLong counter = one.getAtomicLong("counter");
        try (ExecutorService executor = Executors.newFixedThreadPool(threads)) {
            for (int i = 0; i < threads; i++) {
                RLock lock = (i % 2 == 0 ? one : two).getFairLock("fair");
                executor.execute(() -> {
                    for (int round = 0; round < rounds; round++) {
                        lock.lock(5, TimeUnit.SECONDS);
                        if (!inside.compareAndSet(false, true)) {
                            overlaps.incrementAndGet();
                        }
                        counter.set(counter.get() + 1);
                        inside.set(false);
                        lock.unlock();
                    }
                });
            }
        }
        assertThat(overlaps).hasValue(0);
        assertThat(counter.get()).isEqualTo((long) threads * rounds);
    }

    @Test
    void readersShareAndWritersDoNot() {
        RReadWriteLock lock = one.getReadWriteLock("rw");
        lock.readLock().lock();
        assertThat(elsewhere(() -> two.getReadWriteLock("rw").readLock().tryLock(1, 1, TimeUnit.SECONDS)))
                .isTrue();
        assertThat(elsewhere(() -> two.getReadWriteLock("rw").writeLock().tryLock()))
                .isFalse();
        lock.readLock().unlock();
    }

    @Test
    void anEntryOfAMapCacheExpires() {
        RMapCache<String, Integer> map = one.getMapCache("cache");
        Collection<String> expired = new ConcurrentLinkedQueue<>();
        map.addListener((EntryExpiredListener<String, Integer>) event -> expired.add(event.getKey()));
        map.put("short", 1, 1_000, TimeUnit.MILLISECONDS);
        map.put("idle", 2, 0, TimeUnit.SECONDS, 10, TimeUnit.SECONDS);
        map.put("kept", 3);
        assertThat(map.fastPutIfAbsent("kept", 4, 1, TimeUnit.SECONDS)).isFalse();
        RMapCache<String, Integer> same = two.getMapCache("cache");
        assertThat(same.readAllMap()).isEqualTo(Map.of("short", 1, "idle", 2, "kept", 3));
        assertThat(same.remainTimeToLive("short")).isBetween(1L, 1_000L);
        assertThat(same.get("idle")).isEqualTo(2);
        Awaitility.await().atMost(SOON).until(() -> same.get("short") == null);
        assertThat(same.size()).isBetween(2, 3);
        assertThat(same.compute("kept", (key, value) -> value + 1)).isEqualTo(4);
        assertThat(same.replace("kept", 4, 20)).isTrue();
        assertThat(same.remove("kept", 21)).isFalse();
        assertThat(same.keySet()).containsExactlyInAnyOrder("idle", "kept");
        RMapCache<String, Integer> numbers =
                two.getMapCache("numbers", new CompositeCodec(StringCodec.INSTANCE, IntegerCodec.INSTANCE));
        numbers.put("n", 1, 1, TimeUnit.MINUTES);
        assertThat(numbers.addAndGet("n", 10)).isEqualTo(11);
        Awaitility.await()
                .atMost(Duration.ofSeconds(12))
                .untilAsserted(() -> assertThat(expired).containsExactly("short"));
    }

    @Test
    void anEntryOfASetCacheExpires() {
        RSetCache<String> set = one.getSetCache("set");
        assertThat(set.add("short", 100, TimeUnit.MILLISECONDS)).isTrue();
        assertThat(set.add("kept")).isTrue();
        assertThat(set.add("kept")).isFalse();
        Awaitility.await().atMost(SOON).until(() -> !set.contains("short"));
        assertThat(two.<String>getSetCache("set").readAll()).isEqualTo(Set.of("kept"));
    }

    @Test
    void topicsReachAllListeners() throws InterruptedException {
        BlockingQueue<String> received = new LinkedBlockingQueue<>();
        RTopic topic = one.getTopic("news");
        int listener = topic.addListener(String.class, (channel, message) -> received.add(channel + " " + message));
        RPatternTopic pattern = two.getPatternTopic("new*");
        pattern.addListener(String.class, (p, channel, message) -> received.add(p + " " + channel + " " + message));
        assertThat(two.getTopic("news").publish("hello")).isEqualTo(2);
        assertThat(List.of(take(received), take(received))).containsExactlyInAnyOrder("news hello", "new* news hello");
        topic.removeListener(listener);
        Awaitility.await().atMost(SOON).until(() -> topic.publish("again") == 1);
        assertThat(take(received)).isEqualTo("new* news again");
        pattern.removeAllListeners();
    }

    private static String take(BlockingQueue<String> received) throws InterruptedException {
        return received.poll(5, TimeUnit.SECONDS);
    }

    @Test
    void blockingQueuesHandOver() throws InterruptedException {
        RBlockingQueue<String> queue = one.getBlockingQueue("queue");
        CompletableFuture<String> taken = queue.pollAsync(10, TimeUnit.SECONDS).toCompletableFuture();
        awaitBlocked(1);
        two.getBlockingQueue("queue").add("job");
        assertThat(taken).succeedsWithin(SOON).isEqualTo("job");
        assertThat(queue.poll(1, TimeUnit.SECONDS)).isNull();
        two.getBlockingQueue("queue").addAll(List.of("a", "b", "c"));
        assertThat(queue.pollLastAndOfferFirstTo("other", 1, TimeUnit.SECONDS)).isEqualTo("c");
        List<String> drained = new ArrayList<>();
        assertThat(queue.drainTo(drained)).isEqualTo(2);
        assertThat(drained).containsExactly("a", "b");
    }

    private static void awaitBlocked(int clients) {
        try (RawClient raw = heddle.connect()) {
            Awaitility.await()
                    .atMost(SOON)
                    .until(() -> raw.call("INFO", "clients").text().contains("blocked_clients:" + clients));
        }
    }

    @Test
    @SuppressWarnings("deprecation") // its successor is not part of the free edition
    void aDelayedQueueDeliversLater() throws InterruptedException {
        RBlockingQueue<String> queue = one.getBlockingQueue("ready");
        RDelayedQueue<String> delayed = one.getDelayedQueue(queue);
        delayed.offer("later", 300, TimeUnit.MILLISECONDS);
        assertThat(queue.peek()).isNull();
        assertThat(queue.poll(5, TimeUnit.SECONDS)).isEqualTo("later");
        delayed.destroy();
    }

    @Test
    void semaphoresAndLatches() throws InterruptedException {
        RSemaphore semaphore = one.getSemaphore("semaphore");
        assertThat(semaphore.trySetPermits(2)).isTrue();
        assertThat(semaphore.tryAcquire(2)).isTrue();
        assertThat(two.getSemaphore("semaphore").tryAcquire()).isFalse();
        CompletableFuture<Void> waiting =
                two.getSemaphore("semaphore").acquireAsync().toCompletableFuture();
        semaphore.release();
        assertThat(waiting).succeedsWithin(SOON);

        RPermitExpirableSemaphore expirable = one.getPermitExpirableSemaphore("expirable");
        assertThat(expirable.trySetPermits(1)).isTrue();
        assertThat(expirable.tryAcquire(0, 200, TimeUnit.MILLISECONDS)).isNotNull();
        String permit = two.getPermitExpirableSemaphore("expirable").tryAcquire(5, 5, TimeUnit.SECONDS);
        assertThat(permit).as("after the first permit's lease").isNotNull();
        two.getPermitExpirableSemaphore("expirable").release(permit);

        RCountDownLatch latch = one.getCountDownLatch("latch");
        assertThat(latch.trySetCount(1)).isTrue();
        CompletableFuture<Void> counted =
                two.getCountDownLatch("latch").awaitAsync().toCompletableFuture();
        latch.countDown();
        assertThat(counted).succeedsWithin(SOON);
    }

    @Test
    void aRateLimiterLimits() {
        RRateLimiter limiter = one.getRateLimiter("limiter");
        assertThat(limiter.trySetRate(RateType.OVERALL, 3, Duration.ofMillis(600)))
                .isTrue();
        RRateLimiter same = two.getRateLimiter("limiter");
        assertThat(same.tryAcquire(2)).isTrue();
        assertThat(limiter.tryAcquire()).isTrue();
        assertThat(same.tryAcquire()).isFalse();
        assertThat(same.availablePermits()).isZero();
        assertThat(same.tryAcquire(1, Duration.ofSeconds(5)))
                .as("in the next interval")
                .isTrue();
    }

    @Test
    void theClientSideCacheObeysInvalidations() {
        RClientSideCaching caching = two.getClientSideCaching(ClientSideCachingOptions.defaults());
        RBucket<String> cached = caching.getBucket("cached", StringCodec.INSTANCE);
        RBucket<String> bucket = one.getBucket("cached", StringCodec.INSTANCE);
        bucket.set("1");
        assertThat(cached.get()).isEqualTo("1");
        bucket.set("2");
        Awaitility.await().atMost(SOON).until(() -> cached.get().equals("2"));
        bucket.delete();
        Awaitility.await().atMost(SOON).until(() -> cached.get() == null);
        caching.destroy();
    }

    @Test
    void batchesAndTransactionsAreAtomic() {
        RBatch batch =
                one.createBatch(BatchOptions.defaults().executionMode(BatchOptions.ExecutionMode.REDIS_WRITE_ATOMIC));
        RFuture<Long> incremented = batch.getAtomicLong("n").incrementAndGetAsync();
        RFuture<Void> set = batch.getBucket("b", StringCodec.INSTANCE).setAsync("v");
        assertThat(batch.execute().getResponses()).hasSize(2);
        assertThat(incremented.toCompletableFuture()).isCompletedWithValue(1L);
        assertThat(set.toCompletableFuture()).isCompleted();

        RTransaction transaction = two.createTransaction(TransactionOptions.defaults());
        transaction.<String, String>getMap("map").put("k", "v");
        assertThat(one.getMap("map").isExists()).isFalse();
        transaction.commit();
        assertThat(one.<String, String>getMap("map").get("k")).isEqualTo("v");
    }

    @Test
    void plainObjects() {
        RBucket<Map<String, Integer>> bucket = one.getBucket("bucket");
        bucket.set(Map.of("a", 1), Duration.ofMinutes(1));
        assertThat(two.getBucket("bucket").get()).isEqualTo(Map.of("a", 1));
        assertThat(bucket.compareAndSet(Map.of("a", 1), Map.of("a", 2))).isTrue();
        assertThat(bucket.compareAndSet(Map.of("a", 1), Map.of("a", 3))).isFalse();
        RScoredSortedSet<String> scores = one.getScoredSortedSet("scores");
        scores.add(0.5, "x");
        assertThat(scores.addScoreAndGetRank("y", 1.5)).isEqualTo(1);
        assertThat(two.getScoredSortedSet("scores").getScore("x")).isEqualTo(0.5);
        assertThat(one.getBitSet("bits").set(100)).isFalse();
        assertThat(two.getBitSet("bits").get(100)).isTrue();
        assertThat(one.getKeys().getKeysStream()).contains("bucket", "scores", "bits");
    }
}
