package dev.heddle.persistence.rdb;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The forms of values that are read here, by the number that a snapshot has for each. */
enum RdbType {
    STRING(0),
    LIST(1),
    SET(2),
    ZSET(3),
    HASH(4),
    ZSET_2(5),
    HASH_ZIPMAP(9),
    LIST_ZIPLIST(10),
    SET_INTSET(11),
    ZSET_ZIPLIST(12),
    HASH_ZIPLIST(13),
    LIST_QUICKLIST(14),
    STREAM(15),
    HASH_LISTPACK(16),
    ZSET_LISTPACK(17),
    LIST_QUICKLIST_2(18),
    STREAM_2(19),
    SET_LISTPACK(20),
    STREAM_3(21),
    HASH_METADATA(24),
    HASH_LISTPACK_EX(25);

    private static final int MODULE = 6;
    private static final int MODULE_2 = 7;

    private static final @Nullable RdbType[] BY_NUMBER = new RdbType[32];

    static {
        for (RdbType type : values()) {
            BY_NUMBER[type.number] = type;
        }
    }

    final int number;

    RdbType(int number) {
        this.number = number;
    }

    /** @throws RdbException that names the type if it is not known here: what follows cannot be skipped */
    static RdbType of(int number, RdbInput in) throws IOException {
        RdbType type = number < BY_NUMBER.length ? BY_NUMBER[number] : null;
        if (type == null) {
            boolean module = number == MODULE || number == MODULE_2;
            throw in.error(module ? ofModule(number, in) : unknown(number));
        }
        return type;
    }

    private static String ofModule(int number, RdbInput in) throws IOException {
        return "a value of the module " + in.moduleName() + ", and there are no modules here (type " + number + ")";
    }

    private static String unknown(int number) {
        return switch (number) {
            case 26 -> "a stream as Redis 8 writes it (type " + number + ")";
            case 22, 23 -> "a hash with deadlines as release candidates of Redis 7.4 wrote it (type " + number + ")";
            default -> "a value of unknown type " + number;
        };
    }
}
