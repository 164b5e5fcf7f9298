package dev.heddle.persistence.rdb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.command.Effect;
import dev.heddle.command.Journal;
import dev.heddle.persistence.snapshot.TestEngine;
import dev.heddle.store.base.Crc64;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DumpCommandsTest {

    private static final long START = 1_700_000_000_000L; // when the test's time begins

    @TempDir
    private Path folder;

    private TestEngine test;
    private final List<String> effects = new ArrayList<>();

    @BeforeEach
    void open() {
        test = new TestEngine(folder);
        test.engine().keyspace().journal(new Journal() {
            @Override
            public boolean isOpen() {
                return true;
            }

            @Override
            public long append(List<Effect> commands) {
                for (Effect effect : commands) {
                    effects.add(String.join(
                            " ",
                            Arrays.stream(effect.command())
                                    .map(word -> new String(word, StandardCharsets.ISO_8859_1))
                                    .toList()));
                }
                return effects.size();
            }
        });
    }

    private String dump(String key) {
        String reply = test.run("DUMP", key);
        return reply.substring(reply.indexOf('\n') + 1, reply.length() - 2);
    }

    /** The bytes without the footer, whose checksum other tests are about. */
    private String body(String key) {
        String payload = dump(key);
        return payload.substring(0, payload.length() - 10);
    }

    private void fill(String prefix, int count, int length) {
        String long_ = "x".repeat(length);
        for (int i = 0; i < count; i++) {
            test.run("RPUSH", prefix + "list", i % 3 == 0 ? "" + i : long_ + i);
            test.run("SADD", prefix + "set", long_ + i);
            test.run("SADD", prefix + "integers", "" + (i * (long) length));
            test.run("HSET", prefix + "hash", "field" + i, long_ + i);
            test.run("ZADD", prefix + "zset", "" + (i / 3.0 - 2), long_ + i);
        }
        test.run("SET", prefix + "string", long_.repeat(count));
    }

    private String show(String key) {
        return switch (test.run("TYPE", key).strip()) {
            case "+list" -> test.run("LRANGE", key, "0", "-1");
            case "+set" -> sorted(test.run("SMEMBERS", key));
            case "+hash" -> sorted(test.run("HGETALL", key));
            case "+zset" -> test.run("ZRANGE", key, "0", "-1", "WITHSCORES");
            default -> test.run("GET", key);
        };
    }

    private static String sorted(String reply) {
        return String.join("\n", reply.lines().sorted().toList());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 127, 128, 129, 512, 513, 700})
    void whatIsDumpedCanBeRestored(int count) {
        for (int length : new int[] {0, 1, 63, 64, 65, 300}) {
            test.run("FLUSHALL");
            fill("a:", count, length);
            for (String key : List.of("list", "set", "integers", "hash", "zset", "string")) {
                assertThat(test.run("RESTORE", "b:" + key, "0", dump("a:" + key)))
                        .isEqualTo("+OK\r\n");
                assertThat(show("b:" + key)).as(key).isEqualTo(show("a:" + key));
                assertThat(test.run("OBJECT", "ENCODING", "b:" + key))
                        .as(key + " " + count + " " + length)
                        .isEqualTo(test.run("OBJECT", "ENCODING", "a:" + key));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "0",
                "-1",
                "127",
                "128",
                "-128",
                "-129",
                "32767",
                "32768",
                "-32769",
                "2147483647",
                "2147483648",
                "-2147483649",
                "9223372036854775807",
                "-9223372036854775808",
                "01",
                "+1",
                "-0",
                "1.5",
                " 1"
            })
    void stringsComeBackAsTheyWere(String value) {
        test.run("SET", "s", value);
        test.run("RESTORE", "t", "0", dump("s"));
        assertThat(test.run("GET", "t")).isEqualTo("$" + value.length() + "\r\n" + value + "\r\n");
    }

    private String hex(String key) {
        return HexFormat.of().formatHex(body(key).getBytes(StandardCharsets.ISO_8859_1));
    }

    @Test
    void smallValuesHaveTheBytesThatRedisGivesThem() {
        test.run("SET", "n", "300");
        assertThat(hex("n")).isEqualTo("00c12c01");
        test.run("SET", "s", "abc");
        assertThat(hex("s")).isEqualTo("0003616263");
        test.run("RPUSH", "l", "a", "1");
        assertThat(hex("l")).isEqualTo("1201020c0c0000000200816102" + "0101ff");
        test.run("SADD", "i", "1");
        assertThat(hex("i")).isEqualTo("0b0a02000000010000000100");
        test.run("SET", "long", "x".repeat(100));
        assertThat(hex("long")).startsWith("00c3");
    }

    @Test
    void compressionCanBeTurnedOff() {
        test.set("rdbcompression", "no");
        test.run("SET", "long", "x".repeat(60));
        assertThat(body("long")).isEqualTo("\0<" + "x".repeat(60));
    }

    @Test
    void deadlinesOfFieldsNeedANewerVersion() {
        test.run("HSET", "h", "a", "1", "b", "2");
        assertThat(dump("h").charAt(body("h").length())).isEqualTo((char) 10);
        test.run("HPEXPIREAT", "h", "" + (START + 5000), "FIELDS", "1", "a");
        assertThat(dump("h").charAt(body("h").length())).isEqualTo((char) 12);
        assertThat(test.run("RESTORE", "g", "0", dump("h"))).isEqualTo("+OK\r\n");
        assertThat(test.run("HPEXPIRETIME", "g", "FIELDS", "2", "a", "b"))
                .isEqualTo("*2\r\n:" + (START + 5000) + "\r\n:-1\r\n");
        test.advance(6000);
        assertThat(test.run("HGETALL", "g")).isEqualTo("*2\r\n$1\r\nb\r\n$1\r\n2\r\n");
    }

    @Test
    void timesToLive() {
        test.run("SET", "s", "v");
        String payload = dump("s");
        effects.clear();
        test.run("RESTORE", "t", "1000", payload);
        assertThat(test.run("PEXPIRETIME", "t")).isEqualTo(":" + (START + 1000) + "\r\n");
        assertThat(effects).containsExactly("RESTORE t " + (START + 1000) + " " + payload + " ABSTTL");
        test.run("RESTORE", "t", "" + (START + 7), payload, "REPLACE", "ABSTTL");
        assertThat(test.run("PEXPIRETIME", "t")).isEqualTo(":" + (START + 7) + "\r\n");
        effects.clear();
        assertThat(test.run("RESTORE", "t", "1", payload, "REPLACE", "ABSTTL")).isEqualTo("+OK\r\n");
        assertThat(test.run("EXISTS", "t")).isEqualTo(":0\r\n");
        assertThat(effects).containsExactly("DEL t");
        effects.clear();
        assertThat(test.run("RESTORE", "nosuch", "1", payload, "ABSTTL")).isEqualTo("+OK\r\n");
        assertThat(effects).isEmpty();
    }

    @Test
    void errorsInTheOrderOfRedis() {
        test.run("SET", "s", "v");
        String payload = dump("s");
        assertThat(test.run("RESTORE", "s", "-1", "x")).isEqualTo("-BUSYKEY Target key name already exists.\r\n");
        assertThat(test.run("RESTORE", "t", "-1", "x")).isEqualTo("-ERR Invalid TTL value, must be >= 0\r\n");
        assertThat(test.run("RESTORE", "t", "0", "x")).isEqualTo("-ERR DUMP payload version or checksum are wrong\r\n");
        assertThat(test.run("RESTORE", "t", "0", payload, "IDLETIME", "-1"))
                .isEqualTo("-ERR Invalid IDLETIME value, must be >= 0\r\n");
        assertThat(test.run("RESTORE", "t", "0", payload, "FREQ", "256"))
                .isEqualTo("-ERR Invalid FREQ value, must be >= 0 and <= 255\r\n");
        assertThat(test.run("RESTORE", "t", "0", payload, "FREQ", "1", "IDLETIME", "1"))
                .isEqualTo("-ERR syntax error\r\n");
        assertThat(test.run("DUMP", "t")).isEqualTo("$-1\r\n");
    }

    @Test
    void damageIsFound() {
        test.run("RPUSH", "l", "a", "b", "c");
        String payload = dump("l");
        for (int i = 0; i < payload.length(); i++) {
            String damaged = payload.substring(0, i) + (char) (payload.charAt(i) ^ 4) + payload.substring(i + 1);
            assertThat(test.run("RESTORE", "t", "0", damaged))
                    .isEqualTo("-ERR DUMP payload version or checksum are wrong\r\n");
        }
    }

    @Test
    void whatIsNoValueIsRefused() {
        // an unknown type, a stream and that are cut short, an empty set, a set with a member twice
        for (String body : List.of("ff", "15", "00056162", "0200", "020201610161")) {
            byte[] bytes = HexFormat.of().parseHex(body + "0a00");
            long crc = Crc64.update(0, bytes, 0, bytes.length);
            StringBuilder payload = new StringBuilder(new String(bytes, StandardCharsets.ISO_8859_1));
            for (int i = 0; i < 8; i++) {
                payload.append((char) (crc >>> 8 * i & 0xff));
            }
            assertThat(test.run("RESTORE", "t", "0", payload.toString())).isEqualTo("-ERR Bad data format\r\n");
        }
    }

    @Test
    void idleTime() {
        test.advance(100_000_000);
        test.run("SET", "s", "v");
        assertThat(test.run("RESTORE", "t", "0", dump("s"), "IDLETIME", "1000")).isEqualTo("+OK\r\n");
        assertThat(test.run("OBJECT", "IDLETIME", "t")).isEqualTo(":1000\r\n");
    }
}
