package dev.heddle.persistence.aof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.heddle.persistence.aof.AofManifest.FormatException;
import dev.heddle.persistence.aof.AofManifest.Part;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AofManifestTest {

    private static final String TEXT = "file appendonly.aof.2.base.rdb seq 2 type b\n"
            + "file appendonly.aof.1.base.rdb seq 1 type h\n"
            + "file appendonly.aof.3.incr.aof seq 3 type i\n"
            + "file appendonly.aof.4.incr.aof seq 4 type i\n";

    @Test
    void whatRedisWritesIsReadAndWrittenAgain() throws FormatException {
        AofManifest manifest = AofManifest.parse(TEXT);

        assertThat(manifest.base()).isEqualTo(new Part("appendonly.aof.2.base.rdb", 2, 'b'));
        assertThat(manifest.history()).extracting(Part::seq).containsExactly(1L);
        assertThat(manifest.increments()).extracting(Part::seq).containsExactly(3L, 4L);
        assertThat(manifest.parts()).extracting(Part::seq).containsExactly(2L, 3L, 4L);
        assertThat(manifest.nextBase()).isEqualTo(3);
        assertThat(manifest.nextIncrement()).isEqualTo(5);
        assertThat(manifest.text()).isEqualTo(TEXT);
    }

    @Test
    void namesThatAreNotPlainWordsAreQuoted() throws FormatException {
        String name = "my \"log\"\n\u00e4'.aof.1.incr.aof";
        AofManifest manifest = new AofManifest(null, List.of(), List.of(new Part(name, 1, 'i')));

        assertThat(manifest.text()).isEqualTo("file \"my \\\"log\\\"\\n\\xe4'.aof.1.incr.aof\" seq 1 type i\n");
        assertThat(AofManifest.parse(manifest.text())).isEqualTo(manifest);
    }

    @Test
    void commentsAndUnknownKeysAreSkippedAndCaseDoesNotMatter() throws FormatException {
        AofManifest manifest = AofManifest.parse("# a comment\nFILE a.aof SEQ 1 startoffset 5 Type i endoffset 9\r\n");

        assertThat(manifest.increments()).containsExactly(new Part("a.aof", 1, 'i'));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "file a seq 1 type i|the line has no end",
                "garbage\\n|this is not",
                "\\n|this is not",
                "file a seq 1\\n|this is not",
                "file a seq 1 type\\n|this is not",
                "file a seq x type i\\n|file, seq",
                "file a seq 0 type i\\n|file, seq",
                "fil a seq 1 type i\\n|file, seq",
                "file ../a seq 1 type i\\n|without a folder",
                "file a seq 1 type q\\n|must be b, h or i",
                "file a seq 1 type b\\nfile c seq 2 type b\\n|another base",
                "file a seq 2 type i\\nfile c seq 2 type i\\n|growing numbers",
                "file \"a seq 1 type i\\n|quotes",
            })
    void everythingElseIsAnError(String text, String reason) {
        String real = text.replace("\\n", "\n");
        int line = Math.max(1, (int) real.chars().filter(c -> c == '\n').count());
        assertThatThrownBy(() -> AofManifest.parse(real))
                .isInstanceOf(FormatException.class)
                .hasMessageContaining(reason)
                .hasMessageContaining("line " + line);
    }

    @Test
    void anEmptyOneAndALongLineAreErrors() {
        assertThatThrownBy(() -> AofManifest.parse("")).hasMessageContaining("empty");
        assertThatThrownBy(() -> AofManifest.parse("file a\0b seq 1 type i\n"))
                .hasMessageContaining("without a folder");
        assertThatThrownBy(() -> AofManifest.parse("file " + "a".repeat(1100) + " seq 1 type i\n"))
                .hasMessageContaining("too long");
    }
}
