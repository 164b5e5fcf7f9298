package dev.heddle.it;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.RandomDistribution;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/**
 * Random command sequences over few keys of all types give the same replies, and leave the same data, as a real redis-server does:
 * 100,000 commands in all.
 */
class RandomSequencesIT {

    private static final int SEQUENCES = 200;
    private static final int LENGTH = 500;

    private static final Map<String, Form> FORMS = Resources.forms();
    private static AcceptedDifferences accepted;
    private static RunningServer heddle;
    private static RunningServer redis;
    private static int compared;

    @BeforeContainer
    static void start() {
        accepted = AcceptedDifferences.forVersion(RedisServer.version());
        redis = RedisServer.start();
        heddle = HeddleServer.start();
    }

    @AfterContainer
    static void stop() {
        System.out.println("RandomSequencesIT: " + compared + " random commands compared");
        if (redis != null) {
            redis.close();
        }
        if (heddle != null) {
            heddle.close();
        }
    }

    @Provide
    Arbitrary<List<List<String>>> sequences() {
        return CommandGenerator.commands()
                .list()
                .ofMinSize(1)
                .ofMaxSize(2 * LENGTH)
                .withSizeDistribution(RandomDistribution.uniform());
    }

    @Property(tries = SEQUENCES, seed = "7202604", edgeCases = EdgeCasesMode.NONE, shrinking = ShrinkingMode.BOUNDED)
    void bothServersAgree(@ForAll("sequences") List<List<String>> commands, @ForAll boolean resp3) {
        int protocol = resp3 ? 3 : 2;
        try (RawClient ours = heddle.connect(protocol);
                RawClient theirs = redis.connect(protocol)) {
            List<List<String>> all = new ArrayList<>(commands);
            all.add(0, List.of("FLUSHALL"));
            compare(all, ours, theirs);
            compared += commands.size();
            compare(dump(theirs), ours, theirs);
        }
    }

    /** The commands that show all data there is on the other server, and that there is no more. */
    private static List<List<String>> dump(RawClient client) {
        List<List<String>> commands = new ArrayList<>();
        commands.add(List.of("KEYS", "*"));
        for (String key : new TreeSet<>(client.call("KEYS", "*").texts())) {
            commands.add(List.of("TYPE", key));
            commands.add(List.of("PEXPIRETIME", key));
            commands.add(
                    switch (client.call("TYPE", key).text()) {
                        case "string" -> List.of("GET", key);
                        case "list" -> List.of("LRANGE", key, "0", "-1");
                        case "set" -> List.of("SMEMBERS", key);
                        case "hash" -> List.of("HGETALL", key);
                        case "stream" -> List.of("XRANGE", key, "-", "+");
                        default -> List.of("ZRANGE", key, "0", "-1", "WITHSCORES");
                    });
        }
        return commands;
    }

    private static void compare(List<List<String>> commands, RawClient ours, RawClient theirs) {
        commands.forEach(ours::send);
        commands.forEach(theirs::send);
        ours.flush();
        theirs.flush();
        for (List<String> command : commands) {
            Reply our = ours.read();
            Reply their = theirs.read();
            String line = String.join(" ", command);
            Form form = line.startsWith("SPOP ") ? Form.SET : FORMS.getOrDefault(command.get(0), Form.EXACT);
            if (!form.same(our, their) && !accepted.allow(line, our, their)) {
                throw new AssertionError(Quoting.escape(line) + "\n    Heddle " + our + "\n    right  " + their);
            }
        }
    }
}
