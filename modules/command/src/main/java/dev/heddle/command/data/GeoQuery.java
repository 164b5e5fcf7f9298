package dev.heddle.command.data;

import dev.heddle.command.Call;
import dev.heddle.command.CommandException;
import dev.heddle.store.value.GeoHash;
import dev.heddle.store.value.GeoHash.Point;
import dev.heddle.store.value.GeoShape;
import dev.heddle.store.value.ScoreRange;
import dev.heddle.store.value.SortedSetValue;
import dev.heddle.store.value.Walk;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of a search for places, and the search itself.
 *
 * <p>Confined to one call.
 */
final class GeoQuery {

    private static final CommandException BAD_UNIT =
            CommandException.err("unsupported unit provided. please use M, KM, FT, MI");
    private static final CommandException BAD_MEMBER = CommandException.err("could not decode requested zset member");
    private static final CommandException BAD_COUNT = CommandException.err("COUNT must be > 0");
    private static final CommandException ANY_ALONE = CommandException.err("the ANY argument requires COUNT argument");

    /** Which command asks. */
    enum Form {
        /** GEORADIUS and GEORADIUSBYMEMBER: the centre and the radius come first. */
        RADIUS,
        /** The same, without STORE. */
        RADIUS_READ,
        SEARCH,
        SEARCH_STORE
    }

    private enum Order {
        NONE,
        NEAREST,
        FARTHEST
    }

    /** A place that was found; the distance is in the unit of the query. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Found(byte[] member, double score, double distance) {}

    private final Call call;
    private final Form form;
    private @Nullable Point centre;
    private boolean circle = true;
    private double width;
    private double height;
    private double unit = 1;
    private Order order = Order.NONE;
    private int count;
    private boolean any;
    private boolean withCoordinates;
    private boolean withDistance;
    private boolean withHash;
    private int storeAt;
    private boolean storesDistance;
    private boolean fromMember;
    private boolean fromPlace;
    private boolean byRadius;
    private boolean byBox;

    private GeoQuery(Call call, Form form) {
        this.call = call;
        this.form = form;
    }

    /** The unit of an argument in metres. @throws CommandException if there is no such unit */
    static double unit(Call call, int index) {
        if (call.is(index, "M")) {
            return 1;
        }
        if (call.is(index, "KM")) {
            return 1000;
        }
        if (call.is(index, "FT")) {
            return 0.3048;
        }
        if (call.is(index, "MI")) {
            return 1609.34;
        }
        throw BAD_UNIT;
    }

    /** A place on the map from two arguments. @throws CommandException if it is none */
    static Point point(Call call, int index) {
        double longitude = call.doubleArg(index);
        double latitude = call.doubleArg(index + 1);
        if (!GeoHash.isValid(longitude, latitude)) {
            throw CommandException.err(
                    "invalid longitude,latitude pair " + sixDigits(longitude) + "," + sixDigits(latitude));
        }
        return new Point(longitude, latitude);
    }

    /** As C prints a double with {@code %f}. */
    private static String sixDigits(double value) {
        if (Double.isInfinite(value)) {
            return value > 0 ? "inf" : "-inf";
        }
        return new BigDecimal(value).setScale(6, RoundingMode.HALF_EVEN).toPlainString();
    }

    /**
     * {@code GEORADIUS key longitude latitude radius unit ...}, {@code GEORADIUSBYMEMBER key member radius unit ...}
     *
     * @param source what is searched, null if there is no such key
     * @param byMember whether the centre is a member
     */
    static GeoQuery radius(Call call, Form form, @Nullable SortedSetValue source, boolean byMember) {
        GeoQuery query = new GeoQuery(call, form);
        int at;
        if (byMember) {
            query.centre = source == null ? null : member(call, source, 2);
            at = 3;
        } else {
            query.centre = point(call, 2);
            at = 4;
        }
        if (source != null || !byMember) { // without a place to start from, nobody asks how far
            query.byRadius(at);
        }
        query.options(at + 2, source);
        query.checkAny();
        return query;
    }

    /** {@code GEOSEARCH key FROM... BY... ...}, {@code GEOSEARCHSTORE dest source FROM... BY... ...} */
    static GeoQuery search(Call call, Form form, @Nullable SortedSetValue source) {
        GeoQuery query = new GeoQuery(call, form);
        query.options(form == Form.SEARCH ? 2 : 3, source);
        if (!query.fromMember && !query.fromPlace) {
            throw CommandException.err("exactly one of FROMMEMBER or FROMLONLAT can be specified for " + call.text(0));
        }
        if (!query.byRadius && !query.byBox) {
            throw CommandException.err("exactly one of BYRADIUS and BYBOX can be specified for " + call.text(0));
        }
        query.checkAny();
        return query;
    }

    private static Point member(Call call, SortedSetValue source, int index) {
        var request = call.request();
        double score = source.score(request.array(index), request.offset(index), request.length(index));
        if (Double.isNaN(score)) {
            throw BAD_MEMBER;
        }
        return GeoHash.ofScore(score).area().centre();
    }

    private double length(int index, String what) {
        try {
            return call.doubleArg(index);
        } catch (CommandException notANumber) {
            throw CommandException.err("need numeric " + what);
        }
    }

    private void byRadius(int at) {
        circle = true;
        double radius = length(at, "radius");
        if (radius < 0) {
            throw CommandException.err("radius cannot be negative");
        }
        unit = unit(call, at + 1);
        width = 2 * radius * unit;
        height = width;
    }

    private void byBox(int at) {
        circle = false;
        double wide = length(at, "width");
        double high = length(at + 1, "height");
        if (wide < 0 || high < 0) {
            throw CommandException.err("height or width cannot be negative");
        }
        unit = unit(call, at + 2);
        width = wide * unit;
        height = high * unit;
    }

    private void options(int from, @Nullable SortedSetValue source) {
        boolean searches = form == Form.SEARCH || form == Form.SEARCH_STORE;
        int at = from;
        while (at < call.argc()) {
            int left = call.argc() - 1 - at;
            if (searches && !fromPlace && left >= 1 && call.is(at, "FROMMEMBER")) {
                fromMember = true;
                centre = source == null ? null : member(call, source, at + 1);
                at += 2;
            } else if (searches && !fromMember && left >= 2 && call.is(at, "FROMLONLAT")) {
                fromPlace = true;
                centre = point(call, at + 1);
                at += 3;
            } else if (searches && !byBox && left >= 2 && call.is(at, "BYRADIUS")) {
                byRadius = true;
                byRadius(at + 1);
                at += 3;
            } else if (searches && !byRadius && left >= 3 && call.is(at, "BYBOX")) {
                byBox = true;
                byBox(at + 1);
                at += 4;
            } else if (left >= 1 && call.is(at, "COUNT")) {
                count = count(at + 1);
                at += 2;
            } else if (left >= 1 && form == Form.RADIUS && (call.is(at, "STORE") || call.is(at, "STOREDIST"))) {
                storesDistance = call.is(at, "STOREDIST");
                storeAt = at + 1;
                at += 2;
            } else {
                word(at);
                at++;
            }
        }
        checkStore();
    }

    private void checkAny() {
        if (any && count == 0) {
            throw ANY_ALONE;
        }
    }

    private int count(int index) {
        long wanted = call.longArg(index);
        if (wanted <= 0) {
            throw BAD_COUNT;
        }
        return (int) Math.min(wanted, Integer.MAX_VALUE);
    }

    private void word(int at) {
        if (call.is(at, "WITHCOORD")) {
            withCoordinates = true;
        } else if (call.is(at, "WITHDIST")) {
            withDistance = true;
        } else if (call.is(at, "WITHHASH")) {
            withHash = true;
        } else if (call.is(at, "ANY")) {
            any = true;
        } else if (call.is(at, "ASC")) {
            order = Order.NEAREST;
        } else if (call.is(at, "DESC")) {
            order = Order.FARTHEST;
        } else if (form == Form.SEARCH_STORE && call.is(at, "STOREDIST")) {
            storesDistance = true;
        } else {
            throw CommandException.SYNTAX;
        }
    }

    private void checkStore() {
        boolean stores = storeAt > 0 || form == Form.SEARCH_STORE;
        if (stores && (withCoordinates || withDistance || withHash)) {
            throw CommandException.err((form == Form.SEARCH_STORE ? "GEOSEARCHSTORE" : "STORE option in GEORADIUS")
                    + " is not compatible with WITHDIST, WITHHASH and WITHCOORD options");
        }
    }

    /** The argument that names where the result goes, 0 if it is the reply. */
    int storeAt() {
        return storeAt;
    }

    boolean storesDistance() {
        return storesDistance;
    }

    boolean withCoordinates() {
        return withCoordinates;
    }

    boolean withDistance() {
        return withDistance;
    }

    boolean withHash() {
        return withHash;
    }

    /** How many things are told of each place. */
    int details() {
        return (withDistance ? 1 : 0) + (withHash ? 1 : 0) + (withCoordinates ? 1 : 0);
    }

    /** The places that are wanted, in the order that is. */
    List<Found> run(SortedSetValue source) {
        Point from = centre;
        if (from == null) {
            return List.of();
        }
        GeoShape shape = new GeoShape(from, circle, width, height);
        List<Found> found = new ArrayList<>();
        int most = any ? count : Integer.MAX_VALUE;
        for (GeoHash cell : shape.cells()) {
            if (found.size() < most) {
                search(source, cell, shape, most, found);
            }
        }
        sort(found);
        return count > 0 && found.size() > count ? found.subList(0, count) : found;
    }

    private void search(SortedSetValue source, GeoHash cell, GeoShape shape, int most, List<Found> found) {
        var ranks = source.ranks(new ScoreRange(cell.lowest(), false, cell.above(), true));
        source.forEach(ranks, Walk.PAIRS, (array, offset, length, score) -> {
            if (found.size() >= most) {
                return;
            }
            double distance = shape.distance(GeoHash.ofScore(score).area().centre());
            if (!Double.isNaN(distance)) {
                found.add(new Found(Arrays.copyOfRange(array, offset, offset + length), score, distance / unit));
            }
        });
    }

    private void sort(List<Found> found) {
        Comparator<Found> nearest = Comparator.comparingDouble(Found::distance);
        switch (order) {
            case NEAREST -> found.sort(nearest);
            case FARTHEST -> found.sort(nearest.reversed());
            case NONE -> {
                if (count > 0 && !any) {
                    found.sort(nearest); // the nearest are wanted, whatever their order
                }
            }
        }
    }
}
