package dev.heddle.store.value;

import dev.heddle.store.value.GeoHash.Area;
import dev.heddle.store.value.GeoHash.Point;
import java.util.ArrayList;
import java.util.List;

/**
 * An area to search: a circle, or a box whose sides follow meridians and parallels. Immutable.
 *
 * @param circle whether it is a circle, whose diameter is the width and height
 * @param width in metres
 * @param height in metres
 */
public record GeoShape(Point centre, boolean circle, double width, double height) {

    /** North, south, east and west, then the corners: the order in which Redis visits them, and so that of unsorted replies. */
    private static final int[][] NEIGHBOURS = {{0, 1}, {0, -1}, {1, 0}, {-1, 0}, {1, 1}, {-1, 1}, {1, -1}, {-1, -1}};

    /** The distance of a place from the centre in metres, NaN if it lies outside. */
    public double distance(Point place) {
        if (circle) {
            double distance = GeoHash.distance(centre, place);
            return distance <= width / 2 ? distance : Double.NaN;
        }
        Point sameMeridian = new Point(centre.longitude(), place.latitude());
        if (GeoHash.distance(centre, sameMeridian) > height / 2 || GeoHash.distance(place, sameMeridian) > width / 2) {
            return Double.NaN;
        }
        return GeoHash.distance(centre, place);
    }

    /** Cells that cover the shape: the one of its centre first, then those of its neighbours that it reaches. */
    public List<GeoHash> cells() {
        Area bounds = GeoHash.around(centre, width / 2, height / 2);
        double radius = circle ? width / 2 : Math.sqrt(width * width / 4 + height * height / 4);
        int step = GeoHash.stepFor(radius, centre.latitude());
        GeoHash cell = GeoHash.of(centre.longitude(), centre.latitude(), step);
        if (step > 1 && !reaches(cell, bounds)) {
            step--;
            cell = GeoHash.of(centre.longitude(), centre.latitude(), step);
        }
        Area area = cell.area();
        List<GeoHash> cells = new ArrayList<>();
        cells.add(cell);
        GeoHash last = cell;
        for (int[] way : NEIGHBOURS) {
            GeoHash next = cell.neighbour(way[0], way[1]);
            boolean useless = step >= 2
                    && ((way[1] < 0 && area.south() < bounds.south())
                            || (way[1] > 0 && area.north() > bounds.north())
                            || (way[0] < 0 && area.west() < bounds.west())
                            || (way[0] > 0 && area.east() > bounds.east()));
            if (!useless && !next.equals(last)) { // large cells are their own neighbours
                cells.add(next);
                last = next;
            }
        }
        return cells;
    }

    /** Whether a cell with its neighbours reaches the bounds on all sides. */
    private static boolean reaches(GeoHash cell, Area bounds) {
        return cell.neighbour(0, 1).area().north() >= bounds.north()
                && cell.neighbour(0, -1).area().south() <= bounds.south()
                && cell.neighbour(1, 0).area().east() >= bounds.east()
                && cell.neighbour(-1, 0).area().west() <= bounds.west();
    }
}
