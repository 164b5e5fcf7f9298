package dev.heddle.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.cache.Cache;
import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.cache.RedisCacheManager;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.RedisOperations;
import org.springframework.data.redis.core.RedisTemplate;
import org.springframework.data.redis.core.SessionCallback;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.script.RedisScript;
import org.springframework.data.redis.listener.ChannelTopic;
import org.springframework.data.redis.listener.PatternTopic;
import org.springframework.data.redis.listener.RedisMessageListenerContainer;
import org.springframework.data.redis.serializer.RedisSerializer;
import org.springframework.session.FindByIndexNameSessionRepository;
import org.springframework.session.Session;
import org.springframework.session.data.redis.RedisIndexedSessionRepository;
import org.springframework.session.data.redis.config.ConfigureNotifyKeyspaceEventsAction;
import org.springframework.session.events.AbstractSessionEvent;

/**
 * Spring Session's indexed repository, which lives on key events, and Spring Data Redis beside it: wired as their
 * configuration classes do it, on Lettuce, without a web server.
 */
class SpringSessionIT {

    private static final Duration SOON = Duration.ofSeconds(5);

    private final BlockingQueue<AbstractSessionEvent> events = new LinkedBlockingQueue<>();

    private RunningServer heddle;
    private LettuceConnectionFactory connections;
    private RedisMessageListenerContainer listeners;
    private RedisIndexedSessionRepository repository;

    @BeforeEach
    void start() {
        heddle = HeddleServer.start();
        connections = new LettuceConnectionFactory(new RedisStandaloneConfiguration("127.0.0.1", heddle.port()));
        connections.afterPropertiesSet();
        connections.start();
        try (RedisConnection connection = connections.getConnection()) {
            new ConfigureNotifyKeyspaceEventsAction().configure(connection);
        }
        RedisTemplate<String, Object> template = new RedisTemplate<>();
        template.setKeySerializer(RedisSerializer.string());
        template.setHashKeySerializer(RedisSerializer.string());
        template.setConnectionFactory(connections);
        template.afterPropertiesSet();
        repository = new RedisIndexedSessionRepository(template);
        repository.setApplicationEventPublisher(event -> events.add((AbstractSessionEvent) event));
        repository.afterPropertiesSet();
        listeners = new RedisMessageListenerContainer();
        listeners.setConnectionFactory(connections);
        listeners.addMessageListener(
                repository,
                List.of(
                        new ChannelTopic(repository.getSessionDeletedChannel()),
                        new ChannelTopic(repository.getSessionExpiredChannel())));
        listeners.addMessageListener(
                repository, List.of(new PatternTopic(repository.getSessionCreatedChannelPrefix() + "*")));
        listeners.afterPropertiesSet();
        listeners.start();
    }

    @AfterEach
    void stop() throws Exception {
        repository.destroy();
        listeners.destroy();
        connections.destroy();
        heddle.close();
    }

    @Test
    void theServerKeepsTheSettingsOfTheRepository() {
        try (RawClient raw = heddle.connect()) {
            assertThat(raw.call("CONFIG", "GET", "notify-keyspace-events").texts())
                    .containsExactly("notify-keyspace-events", "gxE");
        }
    }

    @Test
    void aSessionIsCreatedFoundAndDeleted() throws InterruptedException {
        createFindAndDelete(repository);
    }

    private <S extends Session> void createFindAndDelete(FindByIndexNameSessionRepository<S> sessions)
            throws InterruptedException {
        S session = sessions.createSession();
        session.setAttribute("cart", "book");
        session.setAttribute(FindByIndexNameSessionRepository.PRINCIPAL_NAME_INDEX_NAME, "ann");
        sessions.save(session);
        assertThat(event()).isEqualTo("SessionCreatedEvent " + session.getId());

        S found = sessions.findById(session.getId());
        assertThat(found.<String>getAttribute("cart")).isEqualTo("book");
        found.setAttribute("cart", "pen");
        sessions.save(found);
        String former = found.getId();
        assertThat(found.changeSessionId()).isNotEqualTo(former);
        sessions.save(found);
        assertThat(sessions.findById(former)).isNull();
        Map<String, S> ofAnn = sessions.findByPrincipalName("ann");
        assertThat(ofAnn).containsOnlyKeys(found.getId());
        assertThat(ofAnn.get(found.getId()).<String>getAttribute("cart")).isEqualTo("pen");

        sessions.deleteById(found.getId());
        assertThat(event()).isEqualTo("SessionDeletedEvent " + found.getId());
        assertThat(sessions.findByPrincipalName("ann")).isEmpty();
    }

    @Test
    void aSessionThatNobodyUsesExpiresByItself() throws InterruptedException {
        expire(repository);
    }

    private <S extends Session> void expire(FindByIndexNameSessionRepository<S> sessions) throws InterruptedException {
        S session = sessions.createSession();
        session.setAttribute("cart", "book");
        session.setAttribute(FindByIndexNameSessionRepository.PRINCIPAL_NAME_INDEX_NAME, "bob");
        session.setMaxInactiveInterval(Duration.ofSeconds(1));
        sessions.save(session);
        assertThat(event()).isEqualTo("SessionCreatedEvent " + session.getId());
        AbstractSessionEvent expired = events.poll(5, TimeUnit.SECONDS);
        assertThat(named(expired)).isEqualTo("SessionExpiredEvent " + session.getId());
        // Its data live five minutes longer than its shadow key, for those who hear of its end.
        assertThat(expired.getSession().<String>getAttribute("cart")).isEqualTo("book");
        assertThat(sessions.findById(session.getId())).isNull();
        assertThat(sessions.findByPrincipalName("bob")).isEmpty();
    }

    private String event() throws InterruptedException {
        return named(events.poll(5, TimeUnit.SECONDS));
    }

    private static String named(AbstractSessionEvent event) {
        return event == null ? "none" : event.getClass().getSimpleName() + " " + event.getSessionId();
    }

    @Test
    void theCacheAbstractionWorks() {
        RedisCacheManager manager = RedisCacheManager.create(connections);
        Cache cache = manager.getCache("books");
        cache.put("1", "Emma");
        assertThat(cache.get("1", String.class)).isEqualTo("Emma");
        assertThat(cache.putIfAbsent("1", "Persuasion").get()).isEqualTo("Emma");
        assertThat(cache.get("2", () -> "computed")).isEqualTo("computed");
        cache.evict("1");
        assertThat(cache.get("1")).isNull();
        cache.clear();
        Awaitility.await().atMost(SOON).until(() -> cache.get("2") == null);
        cache.put("3", "x");
        assertThat(cache.invalidate()).isTrue();
        assertThat(cache.get("3")).isNull();
    }

    @Test
    void templatesRunTransactionsAndScripts() {
        StringRedisTemplate template = new StringRedisTemplate(connections);
        List<Object> results = template.execute(new SessionCallback<>() {
            @Override
            @SuppressWarnings("unchecked")
            public <K, V> List<Object> execute(RedisOperations<K, V> operations) throws DataAccessException {
                RedisOperations<String, String> strings = (RedisOperations<String, String>) operations;
                strings.multi();
                strings.opsForValue().set("k", "1", Duration.ofMinutes(1));
                strings.opsForValue().increment("k");
                strings.opsForSet().add("s", "a", "b");
                return strings.exec();
            }
        });
        assertThat(results).containsExactly(true, 2L, 2L);
        List<Object> pipelined = template.executePipelined((RedisConnection connection) -> {
            connection.stringCommands().get("k".getBytes(UTF_8));
            connection.keyCommands().ttl("k".getBytes(UTF_8));
            return null;
        });
        assertThat(pipelined).containsExactly("2", 60L);

        RedisScript<Long> compareAndDelete = RedisScript.of(
                "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0",
                Long.class);
        assertThat(template.execute(compareAndDelete, List.of("k"), "1")).isZero();
        assertThat(template.execute(compareAndDelete, List.of("k"), "2")).isEqualTo(1);
    }
}
