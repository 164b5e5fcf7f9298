package dev.heddle.command.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The file config/heddle.conf tells what the code does. */
class ShippedFileTest {

    private static final Path FILE = Path.of("../../config/heddle.conf");

    @Test
    void itStartsTheServerWithoutWarnings() {
        RedisConfFile configuration = new RedisConfFile(new Settings());
        configuration.readMain(FILE);

        assertThat(configuration.warnings()).isEmpty();
    }

    @Test
    void itDescribesEveryDirectiveThatHasAnEffectAndNoOther() throws IOException {
        TreeSet<String> active = new TreeSet<>();
        for (Setting<?> setting : new Settings().all()) {
            if (setting.status() == Setting.Status.ACTIVE) {
                active.add(setting.name());
            }
        }

        assertThat(defaults().stream().map(line -> ConfigText.split(line).getFirst()))
                .containsExactlyInAnyOrderElementsOf(active);
    }

    @Test
    void itShowsTheRealDefaults() throws IOException {
        for (String line : defaults()) {
            Settings settings = new Settings();
            new RedisConfFile(settings).readOptions(line);
            assertThat(settings.all()).as(line).allMatch(Setting::isInitial);
        }
    }

    @Test
    void everyDirectiveHasItsExplanation() throws IOException {
        List<String> lines = Files.readAllLines(FILE);
        for (int i = 1; i < lines.size(); i++) {
            if (isDefault(lines.get(i))) {
                assertThat(lines.get(i - 1)).as(lines.get(i)).matches("# .+|#[a-z].+");
            }
        }
    }

    /** The lines that show a default, without their {@code #}. */
    private static List<String> defaults() throws IOException {
        List<String> defaults = new ArrayList<>();
        for (String line : Files.readAllLines(FILE)) {
            if (isDefault(line)) {
                defaults.add(line.substring(1));
            }
        }
        return defaults;
    }

    private static boolean isDefault(String line) {
        return line.matches("#[a-z].*");
    }
}
