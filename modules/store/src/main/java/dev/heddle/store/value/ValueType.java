package dev.heddle.store.value;

/** The types of values that a key can hold. */
public enum ValueType {
    STRING("string"),
    LIST("list"),
    SET("set"),
    ZSET("zset"),
    HASH("hash"),
    STREAM("stream");

    private final String typeName;

    ValueType(String typeName) {
        this.typeName = typeName;
    }

    /** The name that TYPE answers. */
    public String typeName() {
        return typeName;
    }

    /** The type of an entry's value: {@code byte[]} and {@code Long} are strings, everything else knows its type. */
    public static ValueType of(Object value) {
        return value instanceof Value v ? v.type() : STRING;
    }
}
