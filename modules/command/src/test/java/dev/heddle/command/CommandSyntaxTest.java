package dev.heddle.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.heddle.command.CommandSyntax.Argument;
import dev.heddle.command.CommandSyntax.Trait;
import dev.heddle.command.catalog.Catalog;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CommandSyntaxTest {

    /** One line for a tree: {@code name:type=TOKEN?*+(parts)}, ? for optional, * for multiple, + for a repeated token. */
    private static String show(List<Argument> arguments) {
        return arguments.stream().map(CommandSyntaxTest::show).collect(Collectors.joining(" "));
    }

    private static String show(Argument argument) {
        String token = argument.token() == null ? "" : "=" + argument.token();
        String key = argument.keySpec() < 0 ? "" : "#" + argument.keySpec();
        String traits = (argument.traits().contains(Trait.OPTIONAL) ? "?" : "")
                + (argument.traits().contains(Trait.MULTIPLE) ? "*" : "")
                + (argument.traits().contains(Trait.MULTIPLE_TOKEN) ? "+" : "");
        String parts = argument.parts().isEmpty() ? "" : "(" + show(argument.parts()) + ")";
        return argument.name() + ":" + argument.type().spelling() + key + token + traits + parts;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "'' ; ''",
                "key ; key:key#0",
                "key [key ...] ; key:key#0*",
                "key newkey ; key:key#0 newkey:key#1",
                "dst@0 src@1 value:integer [GET pattern:pattern@1] timeout:double ip:port ; dst:key#0 src:key#1 value:integer"
                        + " pattern:pattern#1=GET? timeout:double ip:port:string",
                "key value [NX | XX] [GET] ;"
                        + " key:key#0 value:string choice:oneof?(nx:pure-token=NX xx:pure-token=XX) get:pure-token=GET?",
                "[EX seconds | PXAT unix-time-milliseconds | KEEPTTL] ; choice:oneof?(seconds:integer=EX"
                        + " unix-time-milliseconds:unix-time=PXAT keepttl:pure-token=KEEPTTL)",
                "key field value [field value ...] ; key:key#0 data:block*(field:string value:string)",
                "key [LIMIT offset count] ; key:key#0 limit:block=LIMIT?(offset:integer count:integer)",
                "key [COUNT count [ANY]] ; key:key#0 count-block:block?(count:integer=COUNT any:pure-token=ANY?)",
                "[GET pattern [GET pattern ...]] ; pattern:pattern=GET?*+",
                "[WEIGHTS weight [weight ...]] ; weight:integer=WEIGHTS?*",
                "[AGGREGATE <SUM | MIN>] ; choice:oneof=AGGREGATE?(sum:pure-token=SUM min:pure-token=MIN)",
                "[channel [channel ...]] ; channel:string?*",
                "<BYLEX | BYBOX width height> ;"
                        + " choice:oneof(bylex:pure-token=BYLEX bybox:block=BYBOX(width:double height:double))",
                "MAXLEN [= | ~] threshold ; maxlen:pure-token=MAXLEN choice:oneof?(=:pure-token== ~:pure-token=~)"
                        + " threshold:integer",
                "[GET field | [FAST] <SET value | INCR value> [GET field | [FAST] <SET value | INCR value> ...]] ;"
                        + " choice:oneof?*(field:string=GET"
                        + " fast-block:block(fast:pure-token=FAST? choice:oneof(value:string=SET value:string=INCR)))",
            })
    void readsTheNotation(String syntax, String tree) {
        assertThat(show(CommandSyntax.parse(syntax, 2))).isEqualTo(tree);
    }

    @Test
    void keysAreOnlyKeysIfTheCommandHasAny() {
        assertThat(show(CommandSyntax.parse("key", 0))).isEqualTo("key:string");
    }

    @Test
    void bracketsMustMatch() {
        assertThatThrownBy(() -> CommandSyntax.parse("[a", 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> CommandSyntax.parse("a]", 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> CommandSyntax.parse("[a>", 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> CommandSyntax.parse("a ...", 0)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void everyRowOfTheTableCanBeRead() {
        Catalog.build()
                .forEach(spec -> assertThat(CommandSyntax.parse(
                                spec.docs().syntax(), spec.keys().size()))
                        .as(spec.fullName())
                        .isNotNull());
    }
}
