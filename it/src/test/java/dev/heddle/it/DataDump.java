package dev.heddle.it;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Everything a server holds, in a form that can be compared. Stateless. */
final class DataDump {

    private static final int DATABASES = 16;

    private DataDump() {}

    /** Database and key, with type, value and the time at which it expires, fields of hashes included. */
    static Map<String, String> of(RunningServer server) {
        Map<String, String> dump = new TreeMap<>();
        try (RawClient client = server.connect()) {
            for (int database = 0; database < DATABASES; database++) {
                client.call("SELECT", Integer.toString(database));
                for (String key : client.call("KEYS", "*").texts()) {
                    dump.put(database + " " + key, entry(client, key));
                }
            }
        }
        return dump;
    }

    private static String entry(RawClient client, String key) {
        String type = client.call("TYPE", key).text();
        String value = switch (type) {
            case "string" -> Quoting.escape(client.call("GET", key).text());
            case "list" -> client.call("LRANGE", key, "0", "-1").texts().toString();
            case "set" -> sorted(client.call("SMEMBERS", key).texts()).toString();
            case "zset" ->
                scores(client.call("ZRANGE", key, "0", "-1", "WITHSCORES").texts());
            case "hash" -> hash(client, key);
            case "stream" -> stream(client, key);
            case "none" -> "";
            default -> client.call("DUMP", key).printable();
        };
        return type + " " + value + " until " + client.call("PEXPIRETIME", key).text();
    }

    private static String hash(RawClient client, String key) {
        Map<String, String> fields = new TreeMap<>();
        List<String> pairs = client.call("HGETALL", key).texts();
        for (int i = 0; i < pairs.size(); i += 2) {
            Reply expires = client.call("HPEXPIRETIME", key, "FIELDS", "1", pairs.get(i));
            String until =
                    expires.isError() || expires.texts().equals(List.of("-1")) ? "" : " until " + expires.texts();
            fields.put(pairs.get(i), pairs.get(i + 1) + until);
        }
        return fields.toString();
    }

    /** All of a stream but when consumers were seen, and how much groups have read: not every record tells that. */
    static String stream(RawClient client, String key) {
        StringBuilder all = new StringBuilder();
        all.append(client.call("XRANGE", key, "-", "+").printable());
        List<Reply> facts = client.call("XINFO", "STREAM", key).elements();
        for (int i = 0; i < facts.size(); i += 2) {
            if (!facts.get(i).text().startsWith("radix-tree")) {
                all.append(' ').append(facts.get(i + 1).printable());
            }
        }
        for (Reply group : client.call("XINFO", "GROUPS", key).elements()) {
            String name = group.elements().get(1).text();
            // How many entries it has read redis-server does not record, but for NOACK.
            group.elements().subList(0, 8).forEach(fact -> all.append(' ').append(fact.text()));
            for (Reply pending :
                    client.call("XPENDING", key, name, "-", "+", "1000").elements()) {
                all.append(' ').append(pending.elements().get(0).text());
                all.append(' ').append(pending.elements().get(1).text());
                all.append(' ').append(pending.elements().get(3).printable());
            }
        }
        return all.toString();
    }

    /** Versions print the same number with different digits. */
    private static String scores(List<String> pairs) {
        List<String> scores = new ArrayList<>();
        for (int i = 0; i < pairs.size(); i += 2) {
            String score = pairs.get(i + 1).replace("inf", "Infinity");
            scores.add(pairs.get(i) + "=" + Double.parseDouble(score));
        }
        return scores.toString();
    }

    /** What is different in two dumps. */
    static List<String> differences(Map<String, String> before, Map<String, String> after) {
        Map<String, String> all = new TreeMap<>(before);
        after.forEach(all::putIfAbsent);
        List<String> different = new ArrayList<>();
        all.keySet().forEach(key -> {
            if (!String.valueOf(before.get(key)).equals(after.get(key))) {
                different.add(key + " was " + before.get(key) + " and is " + after.get(key));
            }
        });
        return different;
    }

    private static List<String> sorted(List<String> words) {
        List<String> copy = new ArrayList<>(words);
        copy.sort(null);
        return copy;
    }
}
