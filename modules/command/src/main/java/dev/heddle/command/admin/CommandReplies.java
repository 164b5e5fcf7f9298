package dev.heddle.command.admin;

import dev.heddle.command.AclCategory;
import dev.heddle.command.CommandSpec;
import dev.heddle.command.CommandSyntax;
import dev.heddle.command.CommandSyntax.Argument;
import dev.heddle.command.CommandSyntax.Trait;
import dev.heddle.command.Flag;
import dev.heddle.command.KeySpec;
import dev.heddle.resp.ReplyWriter;
import java.util.List;
import java.util.function.Consumer;

/** A row of the command table in the forms of COMMAND INFO and COMMAND DOCS. Stateless. */
final class CommandReplies {

    private CommandReplies() {}

    /** The ten elements of COMMAND INFO. */
    static void info(ReplyWriter reply, CommandSpec spec) {
        KeySpec.Range range = KeyRanges.contiguous(spec.keys());
        reply.array(10);
        reply.bulk(spec.fullName());
        reply.integer(spec.arity());
        words(
                reply,
                spec.flags().stream()
                        .filter(flag -> !flag.hidden())
                        .map(Flag::spelling)
                        .toList());
        reply.integer(range.first());
        reply.integer(range.last());
        reply.integer(range.step());
        words(
                reply,
                AclCategory.of(spec).stream()
                        .map(category -> "@" + category.spelling())
                        .toList());
        reply.set(spec.tips().size());
        spec.tips().forEach(reply::bulk);
        reply.set(spec.keys().size());
        spec.keys().forEach(key -> KeyRanges.describe(reply, key));
        if (spec.subcommands().isEmpty()) {
            reply.set(0);
        } else {
            reply.array(spec.subcommands().size());
            spec.subcommands().values().forEach(subcommand -> info(reply, subcommand));
        }
    }

    /** A set of words as simple strings. */
    static void words(ReplyWriter reply, List<String> words) {
        reply.set(words.size());
        words.forEach(reply::simple);
    }

    /** The map of COMMAND DOCS. */
    static void docs(ReplyWriter reply, CommandSpec spec) {
        CommandSpec.Docs docs = spec.docs();
        CommandSpec.Deprecation deprecation = spec.deprecation();
        List<Argument> arguments =
                CommandSyntax.parse(docs.syntax(), spec.keys().size());
        int mark = reply.deferred();
        int pairs = 3;
        field(reply, "summary", docs.summary());
        field(reply, "since", docs.since());
        field(reply, "group", docs.group().spelling());
        if (!docs.complexity().isEmpty()) {
            field(reply, "complexity", docs.complexity());
            pairs++;
        }
        if (deprecation != null) {
            reply.bulk("doc_flags");
            words(reply, List.of("deprecated"));
            field(reply, "deprecated_since", deprecation.since());
            field(reply, "replaced_by", deprecation.replacement());
            pairs += 3;
        }
        if (!arguments.isEmpty()) {
            reply.bulk("arguments");
            arguments(reply, arguments);
            pairs++;
        }
        if (!spec.subcommands().isEmpty()) {
            reply.bulk("subcommands");
            reply.map(spec.subcommands().size());
            spec.subcommands().values().forEach(subcommand -> {
                reply.bulk(subcommand.fullName());
                docs(reply, subcommand);
            });
            pairs++;
        }
        reply.closeMap(mark, pairs);
    }

    private static void arguments(ReplyWriter reply, List<Argument> arguments) {
        reply.array(arguments.size());
        arguments.forEach(argument -> argument(reply, argument));
    }

    private static void argument(ReplyWriter reply, Argument argument) {
        int mark = reply.deferred();
        int pairs = 3;
        String token = argument.token();
        field(reply, "name", argument.name());
        field(reply, "type", argument.type().spelling());
        if (argument.parts().isEmpty()) {
            field(reply, "display_text", argument.name());
        }
        if (argument.keySpec() >= 0) {
            reply.bulk("key_spec_index");
            reply.integer(argument.keySpec());
            pairs++;
        }
        if (token != null) {
            field(reply, "token", token);
            pairs++;
        }
        if (!argument.traits().isEmpty()) {
            reply.bulk("flags");
            words(
                    reply,
                    argument.traits().stream().sorted().map(Trait::spelling).toList());
            pairs++;
        }
        if (!argument.parts().isEmpty()) {
            reply.bulk("arguments");
            arguments(reply, argument.parts());
        }
        reply.closeMap(mark, pairs);
    }

    /** A map of commands by name. */
    static void map(ReplyWriter reply, List<CommandSpec> specs, Consumer<CommandSpec> value) {
        reply.map(specs.size());
        specs.forEach(spec -> {
            reply.bulk(spec.fullName());
            value.accept(spec);
        });
    }

    private static void field(ReplyWriter reply, String name, String value) {
        reply.bulk(name);
        reply.bulk(value);
    }
}
