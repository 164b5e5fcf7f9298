package dev.heddle.store.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.heddle.store.value.GeoHash.Point;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class GeoHashTest {

    @Property
    void aPlaceLiesInItsCell(
            @ForAll @DoubleRange(min = -179.9, max = 179.9) double longitude,
            @ForAll @DoubleRange(min = -85, max = 85) double latitude,
            @ForAll @IntRange(min = 1, max = 26) int step) {
        GeoHash cell = GeoHash.of(longitude, latitude, step);
        GeoHash.Area area = cell.area();
        assertThat(longitude).isBetween(area.west() - 1e-9, area.east() + 1e-9);
        assertThat(latitude).isBetween(area.south() - 1e-9, area.north() + 1e-9);
        GeoHash full = GeoHash.of(longitude, latitude, GeoHash.FULL);
        assertThat(full.bits()).isGreaterThanOrEqualTo(cell.lowest()).isLessThan(cell.above());
        assertThat(GeoHash.ofScore((double) full.bits())).isEqualTo(full);
    }

    @Property
    void neighboursTouch(
            @ForAll @DoubleRange(min = -170, max = 170) double longitude,
            @ForAll @DoubleRange(min = -80, max = 80) double latitude,
            @ForAll @IntRange(min = 6, max = 26) int step) {
        GeoHash cell = GeoHash.of(longitude, latitude, step);
        assertThat(cell.neighbour(1, 0).area().west()).isCloseTo(cell.area().east(), within(1e-9));
        assertThat(cell.neighbour(0, -1).area().north()).isCloseTo(cell.area().south(), within(1e-9));
        assertThat(cell.neighbour(1, 1).neighbour(-1, -1)).isEqualTo(cell);
    }

    /** What is found in the cells is all that is near: a place within the radius always lies in one of them. */
    @Property(tries = 2_000)
    void theCellsCoverTheShape(
            @ForAll @DoubleRange(min = -170, max = 170) double longitude,
            @ForAll @DoubleRange(min = -70, max = 70) double latitude,
            @ForAll @DoubleRange(min = 1, max = 500_000) double radius,
            @ForAll @DoubleRange(min = -1, max = 1) double east,
            @ForAll @DoubleRange(min = -1, max = 1) double north) {
        GeoShape shape = new GeoShape(new Point(longitude, latitude), true, 2 * radius, 2 * radius);
        double degrees = radius / 111_000;
        Point place =
                new Point(longitude + east * degrees / Math.cos(Math.toRadians(latitude)), latitude + north * degrees);
        if (GeoHash.isValid(place.longitude(), place.latitude()) && !Double.isNaN(shape.distance(place))) {
            long bits = GeoHash.of(place.longitude(), place.latitude(), GeoHash.FULL)
                    .bits();
            assertThat(shape.cells()).anyMatch(cell -> bits >= cell.lowest() && bits < cell.above());
        }
    }

    @Test
    void distancesAreThoseOfTheGlobe() {
        Point palermo = new Point(13.361389, 38.115556);
        Point catania = new Point(15.087269, 37.502669);
        assertThat(GeoHash.distance(palermo, catania)).isCloseTo(166_274, within(5.0));
        assertThat(GeoHash.distance(palermo, palermo)).isZero();
        assertThat(GeoHash.distance(new Point(0, 0), new Point(180, 0)))
                .isCloseTo(Math.PI * 6372797.560856, within(1.0));
    }
}
