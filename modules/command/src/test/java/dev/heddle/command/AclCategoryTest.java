package dev.heddle.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.command.catalog.Catalog;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AclCategoryTest {

    private final CommandTable table = Catalog.build();

    @ParameterizedTest
    @CsvSource({
        "get, '[READ, STRING, FAST]'",
        "set, '[WRITE, STRING, SLOW]'",
        "client, '[SLOW]'",
        "client|id, '[SLOW, CONNECTION]'",
        "client|kill, '[ADMIN, SLOW, DANGEROUS, CONNECTION]'",
        "command, '[SLOW, CONNECTION]'",
        "info, '[SLOW, DANGEROUS]'",
        "role, '[ADMIN, FAST, DANGEROUS]'",
        "wait, '[SLOW, CONNECTION]'",
        "time, '[FAST]'",
        "memory|usage, '[READ, SLOW]'",
    })
    void areThoseOfRedis(String name, String categories) {
        CommandSpec spec = Objects.requireNonNull(table.find(name));
        assertThat(AclCategory.of(spec)).hasToString(categories);
    }
}
