package dev.heddle.command.script.lib;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.luaj.vm2.LuaString;
import org.luaj.vm2.LuaTable;
import org.luaj.vm2.LuaValue;
import org.luaj.vm2.Varargs;

/** What the libraries do with data that nobody vouches for, and with scripts that mean harm. */
class LuaLibrariesTest {
    private final ScriptBench bench = new ScriptBench();

    @Property(tries = 3_000)
    void anyBytesAreDecodedOrRefused(@ForAll @Size(max = 60) byte[] bytes) {
        LuaString data = LuaString.valueOf(bytes);
        callOrRefuse("cmsgpack", "unpack", data);
        callOrRefuse("cjson", "decode", data);
        callOrRefuse("struct", "unpack", LuaString.valueOf("<i3sBc0d"), data);
        callOrRefuse("struct", "unpack", data, data);
        callOrRefuse("struct", "size", data);
        callOrRefuse("string", "format", data, LuaValue.ONE, LuaValue.ONE);
    }

    @Property(tries = 3_000)
    void anyBytesAreAPatternOrRefused(@ForAll @Size(max = 12) byte[] pattern, @ForAll @Size(max = 40) byte[] subject) {
        for (int i = 0; i < pattern.length; i++) {
            pattern[i] = (byte) "%()[]^$*+-?.abf1\0x".charAt((pattern[i] & 0xff) % 18);
        }
        callOrRefuse("string", "find", LuaString.valueOf(subject), LuaString.valueOf(pattern));
        callOrRefuse("string", "gsub", LuaString.valueOf(subject), LuaString.valueOf(pattern), LuaValue.ONE);
    }

    @Property(tries = 1_000)
    void stringsSurviveEveryEncoding(@ForAll @Size(max = 300) byte[] bytes) {
        LuaString text = LuaString.valueOf(bytes);
        LuaValue packed = library("cmsgpack", "pack").call(text);
        assertThat(library("cmsgpack", "unpack").call(packed)).isEqualTo(text);
        LuaValue json = library("cjson", "encode").call(text);
        assertThat(library("cjson", "decode").call(json)).isEqualTo(text);
        LuaValue struct = library("struct", "pack").call(LuaValue.valueOf("Ic0"), text.len(), text);
        assertThat(library("struct", "unpack").call(LuaValue.valueOf("Ic0"), struct))
                .isEqualTo(text);
    }

    @Property(tries = 1_000)
    void numbersSurviveMessagePackAndStruct(@ForAll double number) {
        LuaValue value = LuaValue.valueOf(number);
        LuaValue packed = library("cmsgpack", "pack").call(value);
        assertThat(library("cmsgpack", "unpack").call(packed).todouble()).isEqualTo(value.todouble());
        LuaValue struct = library("struct", "pack").call(LuaValue.valueOf(">d"), value);
        assertThat(library("struct", "unpack")
                        .call(LuaValue.valueOf(">d"), struct)
                        .todouble())
                .isEqualTo(value.todouble());
    }

    @Example
    void nestingOverflowsNoStack() {
        byte[] arrays = new byte[2_000_000];
        Arrays.fill(arrays, (byte) 0x91);
        assertThatThrownBy(() -> library("cmsgpack", "unpack").call(LuaString.valueOf(arrays)))
                .isInstanceOf(LibraryError.class)
                .hasMessageStartingWith("stack overflow (");
        library("cjson", "decode_max_depth").call(LuaValue.valueOf(Integer.MAX_VALUE));
        Arrays.fill(arrays, (byte) '[');
        assertThatThrownBy(() -> library("cjson", "decode").call(LuaString.valueOf(arrays)))
                .isInstanceOf(LibraryError.class)
                .hasMessage("Found too many nested data structures (7999) at character 7999");
    }

    @Example
    void patternOfManyQuantifiersIsRefused() {
        assertThatThrownBy(() -> bench.run("return string.find(('a'):rep(9000), ('a?'):rep(9000))"))
                .hasMessageContaining("pattern too complex");
    }

    @Example
    void watchMayEndABacktrackingPattern() {
        AtomicInteger looks = new AtomicInteger();
        ScriptWatch.set(() -> {
            if (looks.incrementAndGet() == 3) {
                throw new IllegalStateException("enough");
            }
        });
        try {
            assertThatThrownBy(() -> bench.run("return string.find(('a'):rep(200), ('a-'):rep(20) .. 'b')"))
                    .hasMessageContaining("enough");
        } finally {
            ScriptWatch.set(null);
        }
    }

    @Example
    void lengthsThatTheDataCannotFulfilReserveNothing() {
        assertThatThrownBy(() -> bench.run("return cmsgpack.unpack('\\221\\255\\255\\255\\255\\1')"))
                .hasMessageContaining("Missing bytes in input.");
        assertThatThrownBy(() -> bench.run("return string.rep('x', 2147483647)"))
                .hasMessageContaining("not enough memory");
    }

    @Example
    void largeJsonTakesLinearTime() {
        Varargs lengths = bench.run("local t = {} for i = 1, 200000 do t[i] = {id = i, name = 'x' .. i} end "
                + "local s = cjson.encode(t) return #s, #cjson.decode(s), #cmsgpack.unpack(cmsgpack.pack(t))");
        assertThat(lengths.arg(2).toint()).isEqualTo(200_000);
        assertThat(lengths.arg(3).toint()).isEqualTo(200_000);
    }

    @Example
    void scriptsCannotChangeALibrary() {
        for (String attempt : new String[] {
            "string.x = 1",
            "rawset(cjson, 'encode', nil)",
            "table.insert(math, 1)",
            "setmetatable(bit, {})",
            "getmetatable('').__index = nil",
            "setmetatable(getmetatable(''), {})",
            "table.sort(cmsgpack) struct.pack = nil"
        }) {
            assertThatThrownBy(() -> bench.run(attempt)).hasMessageContaining("Attempt to modify a readonly table");
        }
    }

    @Example
    void instancesOfCjsonKeepTheirSettingsApart() {
        assertThat(bench.evaluate("(function() local c = cjson.new() c.encode_number_precision(3) "
                        + "return c.encode(1/3), cjson.encode(1/3) end)()"))
                .isEqualTo("\"0.333\" | \"0.33333333333333\"");
    }

    @Example
    void randomNumbersGoOnAcrossEnvironments() {
        ScriptRandom random = new ScriptRandom();
        LuaTable first = new LuaTable();
        LuaTable second = new LuaTable();
        LuaLibraries.install(first, random);
        LuaLibraries.install(second, random);
        double one = first.get("math").get("random").call().todouble();
        double two = second.get("math").get("random").call().todouble();
        assertThat(one).isNotEqualTo(two).isBetween(0.0, 1.0);
    }

    private LuaValue library(String table, String name) {
        return bench.globals().get(table).get(name);
    }

    private void callOrRefuse(String table, String name, LuaValue... args) {
        LuaValue function = library(table, name);
        try {
            function.invoke(LuaValue.varargsOf(args));
        } catch (LibraryError e) {
            assertThat(e.text().m_length).isPositive();
        }
    }
}
