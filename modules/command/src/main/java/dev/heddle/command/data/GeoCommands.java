package dev.heddle.command.data;

import static dev.heddle.command.Arity.atLeast;
import static dev.heddle.command.Flag.DENYOOM;
import static dev.heddle.command.Group.GEO;

import dev.heddle.command.Call;
import dev.heddle.command.CommandException;
import dev.heddle.command.CommandTable;
import dev.heddle.command.EventClass;
import dev.heddle.command.KeySpec.Access;
import dev.heddle.command.data.GeoQuery.Form;
import dev.heddle.command.data.GeoQuery.Found;
import dev.heddle.resp.Numbers;
import dev.heddle.resp.ReplyWriter;
import dev.heddle.resp.Request;
import dev.heddle.store.Entry;
import dev.heddle.store.value.CompactLimits;
import dev.heddle.store.value.GeoHash;
import dev.heddle.store.value.GeoHash.Point;
import dev.heddle.store.value.SortedSetValue;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Places: sorted sets whose scores are {@link GeoHash}es. Stateless. */
public final class GeoCommands {

    private static final String COMPLEXITY =
            "O(N+log(M)) where N is the number of elements in the area around the shape and M the number of items inside"
                    + " the shape";
    private static final String OPTIONS = " [WITHCOORD] [WITHDIST] [WITHHASH] [COUNT count [ANY]] [ASC | DESC]";
    private static final String STORE = " [STORE key | STOREDIST key]";
    private static final String UNITS = " <M | KM | FT | MI>";
    private static final String AREA =
            " <FROMMEMBER member | FROMLONLAT longitude latitude> <BYRADIUS radius <M | KM | FT | MI> | BYBOX width height"
                    + " <M | KM | FT | MI>> [ASC | DESC] [COUNT count [ANY]]";

    private GeoCommands() {}

    public static void declare(CommandTable.Builder t) {
        t.write("GEOADD", atLeast(4), GeoCommands::add, DENYOOM)
                .key(Access.RW)
                .docs(
                        GEO,
                        "3.2.0",
                        "O(log(N)) for each item added, where N is the number of elements in the sorted set.",
                        "key [NX | XX] [CH] longitude latitude member [longitude latitude member ...]",
                        "Adds places, or moves them.");
        t.read("GEOPOS", atLeast(1), GeoCommands::positions)
                .key(Access.RO)
                .docs(
                        GEO,
                        "3.2.0",
                        "O(1) for each member requested.",
                        "key [member [member ...]]",
                        "Answers where places are.");
        t.read("GEODIST", atLeast(3), GeoCommands::distance)
                .key(Access.RO)
                .docs(
                        GEO,
                        "3.2.0",
                        "O(1)",
                        "key member1 member2 [M | KM | FT | MI]",
                        "Answers how far two places are apart.");
        t.read("GEOHASH", atLeast(1), GeoCommands::hashes)
                .key(Access.RO)
                .docs(
                        GEO,
                        "3.2.0",
                        "O(1) for each member requested.",
                        "key [member [member ...]]",
                        "Answers the geohashes of places.");
        declareSearches(t);
        declareRadius(t);
    }

    private static void declareSearches(CommandTable.Builder t) {
        t.read("GEOSEARCH", atLeast(6), GeoCommands::search)
                .key(Access.RO)
                .docs(
                        GEO,
                        "6.2.0",
                        COMPLEXITY,
                        "key" + AREA + " [WITHCOORD] [WITHDIST] [WITHHASH]",
                        "Answers the places in a circle or box.");
        t.write("GEOSEARCHSTORE", atLeast(7), GeoCommands::searchAndStore, DENYOOM)
                .key(Access.OW)
                .keys(2, 2, 1, Access.RO)
                .docs(
                        GEO,
                        "6.2.0",
                        COMPLEXITY,
                        "destination source" + AREA + " [STOREDIST]",
                        "Keeps the places in a circle or box under another key.");
    }

    private static void declareRadius(CommandTable.Builder t) {
        t.write("GEORADIUS", atLeast(5), call -> radius(call, Form.RADIUS, false), DENYOOM)
                .key(Access.RO)
                .keyAfter("STORE", 6, Access.OW)
                .keyAfter("STOREDIST", 6, Access.OW)
                .deprecated("6.2.0", "`GEOSEARCH` and `GEOSEARCHSTORE` with the `BYRADIUS` argument")
                .docs(
                        GEO,
                        "3.2.0",
                        COMPLEXITY,
                        "key longitude latitude radius" + UNITS + OPTIONS + STORE,
                        "Answers, or keeps, the places in a circle.");
        t.read("GEORADIUS_RO", atLeast(5), call -> radius(call, Form.RADIUS_READ, false))
                .key(Access.RO)
                .deprecated("6.2.0", "`GEOSEARCH` with the `BYRADIUS` argument")
                .docs(
                        GEO,
                        "3.2.10",
                        COMPLEXITY,
                        "key longitude latitude radius" + UNITS + OPTIONS,
                        "Answers the places in a circle.");
        t.write("GEORADIUSBYMEMBER", atLeast(4), call -> radius(call, Form.RADIUS, true), DENYOOM)
                .key(Access.RO)
                .keyAfter("STORE", 5, Access.OW)
                .keyAfter("STOREDIST", 5, Access.OW)
                .deprecated("6.2.0", "`GEOSEARCH` and `GEOSEARCHSTORE` with the `BYRADIUS` and `FROMMEMBER` arguments")
                .docs(
                        GEO,
                        "3.2.0",
                        COMPLEXITY,
                        "key member radius" + UNITS + OPTIONS + STORE,
                        "Answers, or keeps, the places in a circle around a place.");
        t.read("GEORADIUSBYMEMBER_RO", atLeast(4), call -> radius(call, Form.RADIUS_READ, true))
                .key(Access.RO)
                .deprecated("6.2.0", "`GEOSEARCH` with the `BYRADIUS` and `FROMMEMBER` arguments")
                .docs(
                        GEO,
                        "3.2.10",
                        COMPLEXITY,
                        "key member radius" + UNITS + OPTIONS,
                        "Answers the places in a circle around a place.");
    }

    /** {@code GEOADD key [NX | XX] [CH] longitude latitude member [longitude latitude member ...]} */
    private static void add(Call call) {
        int first = 2;
        boolean absent = false;
        boolean present = false;
        boolean changes = false;
        for (boolean option = true; option && first < call.argc(); first += option ? 1 : 0) {
            if (call.is(first, "NX")) {
                absent = true;
            } else if (call.is(first, "XX")) {
                present = true;
            } else if (call.is(first, "CH")) {
                changes = true;
            } else {
                option = false;
            }
        }
        int rest = call.argc() - first;
        if (rest % 3 != 0 || (absent && present)) {
            throw CommandException.SYNTAX;
        }
        double[] scores = new double[rest / 3];
        for (int i = 0; i < scores.length; i++) {
            Point point = GeoQuery.point(call, first + 3 * i);
            scores[i] = GeoHash.of(point.longitude(), point.latitude(), GeoHash.FULL)
                    .bits();
        }
        if (scores.length == 0) {
            throw CommandException.SYNTAX; // as ZADD, which this becomes
        }
        put(call, new AddRule(absent, present, false, false, changes, false, first), scores);
    }

    private static void put(Call call, AddRule rule, double[] scores) {
        Request request = call.request();
        CompactLimits limits = SortedSets.limits(call);
        Entry entry = call.findForWrite(1);
        SortedSetValue zset = SortedSets.of(entry);
        if (zset == null) {
            if (rule.presentOnly()) {
                call.reply().integer(0);
                return;
            }
            zset = SortedSets.create(call, scores.length, request.length(rule.first() + 2), limits);
        } else if (scores.length > limits.entries()) {
            zset.unpack();
        }
        ScoreUpdates updates = new ScoreUpdates(zset, rule, limits);
        for (int i = 0; i < scores.length; i++) {
            updates.put(request, rule.first() + 3 * i + 2, scores[i]);
        }
        if (entry == null) {
            call.add(1, zset);
        }
        int changed = updates.added() + updates.updated();
        if (changed > 0) {
            call.changed(1, EventClass.ZSET, "zadd");
            call.countChanges(changed - 1L);
            record(call, rule, scores);
        }
        call.reply().integer(rule.changes() ? changed : updates.added());
    }

    private static void record(Call call, AddRule rule, double[] scores) {
        if (!call.recorded()) {
            return;
        }
        List<byte[]> words = new ArrayList<>();
        words.add(call.arg(1));
        for (int i = 2; i < rule.first(); i++) {
            words.add(call.arg(i));
        }
        for (int i = 0; i < scores.length; i++) {
            words.add(Numbers.toBytes((long) scores[i]));
            words.add(call.arg(rule.first() + 3 * i + 2));
        }
        call.effect("ZADD", words.toArray(byte[][]::new));
    }

    /** The place of a member, null if it is not there. */
    private static @Nullable GeoHash place(Call call, @Nullable SortedSetValue zset, int index) {
        if (zset == null) {
            return null;
        }
        Request request = call.request();
        double score = zset.score(request.array(index), request.offset(index), request.length(index));
        return Double.isNaN(score) ? null : GeoHash.ofScore(score);
    }

    private static void coordinates(ReplyWriter reply, GeoHash place) {
        Point point = place.area().centre();
        reply.array(2);
        coordinate(reply, point.longitude());
        coordinate(reply, point.latitude());
    }

    /** Seventeen digits behind the point, as C prints a long double, without zeros at the end. */
    private static void coordinate(ReplyWriter reply, double degrees) {
        BigDecimal digits = new BigDecimal(degrees).setScale(17, RoundingMode.HALF_EVEN);
        reply.real(digits.signum() == 0 ? "0" : digits.stripTrailingZeros().toPlainString());
    }

    private static void distance(ReplyWriter reply, double distance) {
        reply.bulk(String.format(Locale.ROOT, "%.4f", distance).getBytes(StandardCharsets.US_ASCII));
    }

    /** {@code GEOPOS key [member [member ...]]} */
    private static void positions(Call call) {
        SortedSetValue zset = call.read(1, SortedSetValue.class);
        call.reply().array(call.argc() - 2);
        for (int i = 2; i < call.argc(); i++) {
            GeoHash place = place(call, zset, i);
            if (place == null) {
                call.reply().nilArray();
            } else {
                coordinates(call.reply(), place);
            }
        }
    }

    /** {@code GEODIST key member1 member2 [M | KM | FT | MI]} */
    private static void distance(Call call) {
        double unit = 1;
        if (call.argc() == 5) {
            unit = GeoQuery.unit(call, 4);
        } else if (call.argc() > 5) {
            throw CommandException.SYNTAX;
        }
        SortedSetValue zset = call.read(1, SortedSetValue.class);
        GeoHash one = place(call, zset, 2);
        GeoHash other = place(call, zset, 3);
        if (one == null || other == null) {
            call.reply().nil();
        } else {
            distance(
                    call.reply(),
                    GeoHash.distance(one.area().centre(), other.area().centre()) / unit);
        }
    }

    /** {@code GEOHASH key [member [member ...]]} */
    private static void hashes(Call call) {
        SortedSetValue zset = call.read(1, SortedSetValue.class);
        call.reply().array(call.argc() - 2);
        for (int i = 2; i < call.argc(); i++) {
            GeoHash place = place(call, zset, i);
            if (place == null) {
                call.reply().nil();
            } else {
                call.reply().bulk(place.text());
            }
        }
    }

    private static void search(Call call) {
        SortedSetValue zset = call.read(1, SortedSetValue.class);
        GeoQuery query = GeoQuery.search(call, Form.SEARCH, zset);
        answer(call, query, zset);
    }

    private static void searchAndStore(Call call) {
        SortedSetValue zset = call.read(2, SortedSetValue.class);
        GeoQuery query = GeoQuery.search(call, Form.SEARCH_STORE, zset);
        store(call, 1, query, zset, "geosearchstore");
    }

    private static void radius(Call call, Form form, boolean byMember) {
        SortedSetValue zset = call.read(1, SortedSetValue.class);
        GeoQuery query = GeoQuery.radius(call, form, zset, byMember);
        if (query.storeAt() > 0) {
            store(call, query.storeAt(), query, zset, "georadiusstore");
        } else {
            answer(call, query, zset);
        }
    }

    private static void answer(Call call, GeoQuery query, @Nullable SortedSetValue zset) {
        ReplyWriter reply = call.reply();
        List<Found> found = zset == null ? List.of() : query.run(zset);
        reply.array(found.size());
        for (Found place : found) {
            if (query.details() > 0) {
                reply.array(1 + query.details());
            }
            reply.bulk(place.member());
            if (query.withDistance()) {
                distance(reply, place.distance());
            }
            if (query.withHash()) {
                reply.integer((long) place.score());
            }
            if (query.withCoordinates()) {
                coordinates(reply, GeoHash.ofScore(place.score()));
            }
        }
    }

    private static void store(Call call, int index, GeoQuery query, @Nullable SortedSetValue zset, String event) {
        SortedSetValue.Builder result = new SortedSetValue.Builder(call.engine().random());
        for (Found place : zset == null ? List.<Found>of() : query.run(zset)) {
            byte[] member = place.member();
            result.add(member, 0, member.length, query.storesDistance() ? place.distance() : place.score());
        }
        SortedSetValue places = result.build();
        places.pack(SortedSets.limits(call));
        SortedSets.store(call, index, places, event);
    }
}
