package dev.heddle.command.script.lib;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;
import org.luaj.vm2.LuaString;
import org.luaj.vm2.LuaTable;
import org.luaj.vm2.LuaValue;

/**
 * JSON from untrusted bytes, in one pass over the tokens of {@link JsonTokens}. Containers that are still open are kept
 * in a stack of our own, so depth costs heap and never overflows the thread's stack. Null becomes {@link NullPointer},
 * for nil cannot be in a table. Confined to one call.
 */
final class JsonDecoder {
    private final JsonSettings settings;
    private final LuaString text;
    private final JsonTokens tokens;
    private final Deque<Open> open = new ArrayDeque<>();
    /** Slots of Lua's stack that the same work would have in use. */
    private int slots = 1;

    /** A container of which the end has not come yet. */
    private static final class Open {
        final LuaTable table = new LuaTable();
        final boolean object;
        int index;
        LuaValue key = LuaValue.NIL;

        Open(boolean object) {
            this.object = object;
        }
    }

    JsonDecoder(JsonSettings settings, LuaString text) {
        this.settings = settings;
        this.text = text;
        this.tokens = new JsonTokens(text, settings.decodeInvalidNumbers == JsonSettings.ON);
    }

    LuaValue decode() {
        if (text.m_length >= 2 && (text.luaByte(0) == 0 || text.luaByte(1) == 0)) {
            throw new LibraryError("JSON parser does not support UTF-16 or UTF-32");
        }
        tokens.next();
        LuaValue value = begin();
        while (!open.isEmpty()) {
            value = value == null ? first(open.getFirst()) : following(open.getFirst(), value);
        }
        if (value == null) {
            throw new IllegalStateException("a value that is no container is known at once");
        }
        if (tokens.next() != JsonTokens.END) {
            throw unexpected("the end");
        }
        return value;
    }

    /** The value that begins at the present token; null if it is a container, which then is open. */
    private @Nullable LuaValue begin() {
        switch (tokens.type()) {
            case JsonTokens.STRING, JsonTokens.NUMBER, JsonTokens.BOOLEAN, JsonTokens.NULL -> {
                return tokens.value();
            }
            case JsonTokens.OBJECT_BEGIN -> enter(true);
            case JsonTokens.ARRAY_BEGIN -> enter(false);
            default -> throw unexpected("value");
        }
        return null;
    }

    private void enter(boolean object) {
        int depth = open.size() + 1;
        if (depth > settings.decodeMaxDepth || slots + (object ? 3 : 2) > StringLibrary.STACK_SLOTS) {
            throw new LibraryError(
                    "Found too many nested data structures (" + depth + ") at character " + tokens.position());
        }
        open.addFirst(new Open(object));
        slots += object ? 2 : 1;
    }

    /** What follows the bracket that opened the container: its first value, or, if it is empty, itself. */
    private @Nullable LuaValue first(Open container) {
        tokens.next();
        if (tokens.type() == (container.object ? JsonTokens.OBJECT_END : JsonTokens.ARRAY_END)) {
            return leave(container);
        }
        return element(container);
    }

    /** Stores a value that is complete, and goes on to the next one or, at the end, to the container itself. */
    private @Nullable LuaValue following(Open container, LuaValue value) {
        if (container.object) {
            container.table.rawset(container.key, value);
        } else {
            container.table.rawset(++container.index, value);
        }
        int type = tokens.next();
        if (type == (container.object ? JsonTokens.OBJECT_END : JsonTokens.ARRAY_END)) {
            return leave(container);
        }
        if (type != JsonTokens.COMMA) {
            throw unexpected(container.object ? "comma or object end" : "comma or array end");
        }
        tokens.next();
        return element(container);
    }

    private @Nullable LuaValue element(Open container) {
        if (container.object) {
            if (tokens.type() != JsonTokens.STRING) {
                throw unexpected("object key string");
            }
            container.key = tokens.value();
            if (tokens.next() != JsonTokens.COLON) {
                throw unexpected("colon");
            }
            tokens.next();
        }
        return begin();
    }

    private LuaValue leave(Open container) {
        open.removeFirst();
        slots -= container.object ? 2 : 1;
        return container.table;
    }

    private LibraryError unexpected(String expected) {
        return new LibraryError(
                "Expected " + expected + " but found " + tokens.description() + " at character " + tokens.index());
    }
}
