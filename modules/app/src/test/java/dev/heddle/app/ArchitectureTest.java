package dev.heddle.app;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Rules on the whole program's byte code, seen from the module that has all others on its class path. The module
 * descriptors refuse most wrong arrows already when compiling; this is the one list of them, and it also sees packages.
 */
class ArchitectureTest {

    private static final String ROOT = "dev.heddle.";

    /** What each module may use, itself left out. A new arrow needs a decision record in docs/adr. */
    private static final Map<String, Set<String>> ARROWS = Map.of(
            "resp", Set.of(),
            "store", Set.of("resp"),
            "command", Set.of("store", "resp"),
            "persistence", Set.of("command", "store", "resp"),
            "server", Set.of("command", "resp"),
            "console", Set.of("command"),
            "app", Set.of("server", "console", "persistence", "command", "store", "resp"));

    private static final JavaClasses PROGRAM = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.heddle");

    @Test
    void theProgramIsOnTheClassPath() {
        Set<String> modules =
                PROGRAM.stream().map(type -> moduleOf(type.getPackageName())).collect(Collectors.toSet());
        assertThat(modules).contains("resp", "store", "command", "server", "app");
    }

    @Test
    void modulesFollowTheArrows() {
        classes().should(followTheArrows()).check(PROGRAM);
    }

    @Test
    void packagesHaveNoCycles() {
        slices().matching("dev.heddle.(**)").should().beFreeOfCycles().check(PROGRAM);
    }

    /** A synchronized method pins the carrier of a virtual thread that blocks in it, on a JDK before 24. */
    @Test
    void noMethodIsSynchronized() {
        methods()
                .that()
                .areDeclaredInClassesThat(
                        resideInModules(List.of("resp", "store", "command", "persistence", "server", "console")))
                .should()
                .notHaveModifier(JavaModifier.SYNCHRONIZED)
                .allowEmptyShould(true)
                .check(PROGRAM);
    }

    @Test
    void loggingGoesThroughSlf4j() {
        noClasses()
                .that() // these two are what slf4j's calls end up in, and what configures it
                .haveNameNotMatching("dev\\.heddle\\.app\\.(SwitchableLog|Logging)(\\$.*)?")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("java.util.logging..", "org.tinylog..")
                .check(PROGRAM);
    }

    @Test
    void onlyTheProgramItselfPrints() {
        noClasses()
                .that(resideInModules(List.of("resp", "store", "command", "persistence", "server", "console")))
                .should(ACCESS_STANDARD_STREAMS)
                .allowEmptyShould(true)
                .check(PROGRAM);
    }

    private static ArchCondition<JavaClass> followTheArrows() {
        return new ArchCondition<>("use only the modules that their own may use") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                String from = moduleOf(type.getPackageName());
                Set<String> allowed = ARROWS.get(from);
                if (allowed == null) {
                    events.add(SimpleConditionEvent.violated(type, "No arrows are declared for module " + from));
                    return;
                }
                for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
                    String target = dependency.getTargetClass().getPackageName();
                    if (target.startsWith(ROOT)
                            && !moduleOf(target).equals(from)
                            && !allowed.contains(moduleOf(target))) {
                        events.add(SimpleConditionEvent.violated(type, dependency.getDescription()));
                    }
                }
            }
        };
    }

    private static DescribedPredicate<JavaClass> resideInModules(List<String> modules) {
        return DescribedPredicate.describe(
                "reside in one of the modules " + modules, type -> modules.contains(moduleOf(type.getPackageName())));
    }

    /** The module of a package: the name after {@code dev.heddle}. */
    private static String moduleOf(String packageName) {
        String rest = packageName.substring(ROOT.length());
        int dot = rest.indexOf('.');
        return dot < 0 ? rest : rest.substring(0, dot);
    }
}
