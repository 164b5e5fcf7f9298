package dev.heddle.persistence.rdb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.persistence.snapshot.Chunk;
import dev.heddle.persistence.snapshot.SnapshotFormat.Item;
import dev.heddle.persistence.snapshot.TestEngine;
import dev.heddle.store.Entry;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RdbFormatTest {

    @TempDir
    private Path folder;

    private TestEngine test;

    @BeforeEach
    void open() {
        test = new TestEngine(folder);
    }

    private RdbFormat format() {
        RdbFormat format = RdbFormat.create(test.engine(), false);
        format.begin(test.engine().store());
        return format;
    }

    private static String text(Chunk chunk) {
        return new String(chunk.array(), 0, chunk.size(), StandardCharsets.ISO_8859_1);
    }

    private static String hex(Chunk chunk) {
        return HexFormat.of().formatHex(Arrays.copyOf(chunk.array(), chunk.size()));
    }

    private String header() {
        Chunk chunk = new Chunk(0, 8);
        format().header(chunk);
        return text(chunk);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    @Test
    void theVersionIsTheLowestThatHoldsTheData() {
        test.run("HSET", "h", "f", "v");
        assertThat(header()).startsWith("REDIS0010").contains("redis-ver\u00057.2.4");
        test.run("HEXPIRE", "h", "100", "FIELDS", "1", "f");
        assertThat(header()).startsWith("REDIS0012");
        test.run("HPERSIST", "h", "FIELDS", "1", "f");
        assertThat(header()).startsWith("REDIS0010");
    }

    @Test
    void anEntryWithADeadline() {
        Chunk chunk = new Chunk(0, 8);
        format().entry(new Item(bytes("k"), bytes("v"), 0x0102030405L, 0), true, chunk);
        assertThat(hex(chunk)).isEqualTo("fc0504030201000000" + "00" + "016b" + "0176");
    }

    @Test
    void idleTimesOnlyUnderAPolicyThatNeedsThem() {
        test.set("maxmemory-policy", "allkeys-lru");
        Chunk chunk = new Chunk(0, 8);
        int used = (int) (test.engine().clock().millis() / 1000) - 100;
        format().entry(new Item(bytes("k"), 5L, Entry.NEVER, used), true, chunk);
        assertThat(hex(chunk)).isEqualTo("f84064" + "00" + "016b" + "c005");
    }

    @Test
    void aDatabaseIsAnnouncedWithItsSizes() {
        Chunk chunk = new Chunk(0, 8);
        format().database(3, 70_000, 200, chunk);
        format().database(3, 0, 0, chunk);
        assertThat(hex(chunk)).isEqualTo("fe03fb800001117040c8" + "fe03");
    }

    @Test
    void onlyWhoHasTimeCompresses() {
        Chunk quick = new Chunk(0, 8);
        Chunk thorough = new Chunk(0, 8);
        RdbFormat format = format();
        Item item = new Item(bytes("k"), bytes("x".repeat(100)), Entry.NEVER, 0);
        format.entry(item, false, quick);
        format.entry(item, true, thorough);
        assertThat(quick.size()).isGreaterThan(100);
        assertThat(thorough.size()).isLessThan(30);
    }

    @Test
    void theEndHasTheChecksumOfAllBeforeIt() {
        Chunk chunk = new Chunk(0, 8);
        RdbFormat format = format();
        format.end(chunk, format.checksum(0, bytes("12345678"), 0, 8));
        long expected = format.checksum(0, bytes("12345678\u00ff"), 0, 9);
        assertThat(hex(chunk)).isEqualTo("ff" + HexFormat.of().toHexDigits(Long.reverseBytes(expected)));
    }
}
