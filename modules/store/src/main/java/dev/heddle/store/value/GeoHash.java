package dev.heddle.store.value;

/**
 * A cell on the globe: the bits of its longitude and latitude, interleaved. Immutable.
 *
 * @param bits the cell's number, 2 * {@code step} bits
 * @param step how many times the globe was halved in each direction, 1 to 26
 */
public record GeoHash(long bits, int step) {

    /*
     * Problem: sorted sets order by one number, places have two. Halving the globe again and again, by longitude and latitude in turn, and noting
     * each time which half a place is in, gives a number whose first bits name a cell that becomes smaller with every bit (G. M. Morton, 1966;
     * "geohash"). All places of a cell are one range of numbers, so that a search in an area is a few ranges of the sorted set: the cell of the
     * centre, if it is not much smaller than the area, and its eight neighbours.
     *
     * 26 halvings in each direction make 52 bits, which a double holds exactly: that is the score. Latitudes end at the edge of the
     * square Mercator map (EPSG:900913), so that cells are as wide as high at the equator.
     */

    /** Halvings of a score. */
    public static final int FULL = 26;

    public static final double MOST_LONGITUDE = 180;
    public static final double MOST_LATITUDE = 85.05112878;

    private static final double EARTH_RADIUS = 6372797.560856;
    private static final double DEGREES_TO_RADIANS = 0.017453292519943295;
    /** Half of the Mercator map's width, in metres. */
    private static final double MERCATOR_MOST = 20037726.37;

    /** A place. */
    public record Point(double longitude, double latitude) {}

    /** What a cell covers, in degrees. */
    public record Area(double west, double south, double east, double north) {

        public Point centre() {
            return new Point(
                    Math.clamp((west + east) / 2, -MOST_LONGITUDE, MOST_LONGITUDE),
                    Math.clamp((south + north) / 2, -MOST_LATITUDE, MOST_LATITUDE));
        }
    }

    /** Whether a place is on the map. */
    public static boolean isValid(double longitude, double latitude) {
        return longitude >= -MOST_LONGITUDE
                && longitude <= MOST_LONGITUDE
                && latitude >= -MOST_LATITUDE
                && latitude <= MOST_LATITUDE;
    }

    /** The cell of a place that is on the map. */
    public static GeoHash of(double longitude, double latitude, int step) {
        return of(longitude, latitude, step, MOST_LATITUDE);
    }

    private static GeoHash of(double longitude, double latitude, int step, double mostLatitude) {
        double x = (longitude + MOST_LONGITUDE) / (2 * MOST_LONGITUDE) * (1L << step);
        double y = (latitude + mostLatitude) / (2 * mostLatitude) * (1L << step);
        return new GeoHash(spread((long) x & 0xffff_ffffL) << 1 | spread((long) y & 0xffff_ffffL), step);
    }

    /** The cell that a score names. */
    public static GeoHash ofScore(double score) {
        return new GeoHash((long) score, FULL);
    }

    /** The lowest score in this cell. */
    public long lowest() {
        return bits << (2 * (FULL - step));
    }

    /** The lowest score above this cell. */
    public long above() {
        return (bits + 1) << (2 * (FULL - step));
    }

    public Area area() {
        double cells = 1L << step;
        long x = gather(bits >>> 1);
        long y = gather(bits);
        return new Area(
                -MOST_LONGITUDE + x / cells * (2 * MOST_LONGITUDE),
                -MOST_LATITUDE + y / cells * (2 * MOST_LATITUDE),
                -MOST_LONGITUDE + (x + 1) / cells * (2 * MOST_LONGITUDE),
                -MOST_LATITUDE + (y + 1) / cells * (2 * MOST_LATITUDE));
    }

    /** The cell so many cells to the east and north; the map's edges meet. */
    public GeoHash neighbour(int east, int north) {
        long mask = (1L << step) - 1;
        long x = (gather(bits >>> 1) + east) & mask;
        long y = (gather(bits) + north) & mask;
        return new GeoHash(spread(x) << 1 | spread(y), step);
    }

    /** The standard text form, by latitudes from -90 to 90: eleven characters, the last of which says nothing. */
    public String text() {
        Point centre = area().centre();
        long standard = of(centre.longitude(), centre.latitude(), FULL, 90).bits;
        StringBuilder text = new StringBuilder(11);
        for (int i = 1; i <= 10; i++) {
            text.append("0123456789bcdefghjkmnpqrstuvwxyz".charAt((int) (standard >>> (2 * FULL - 5 * i)) & 31));
        }
        return text.append('0').toString();
    }

    /** How often to halve so that a cell and its neighbours cover this radius, in metres, at this latitude. */
    public static int stepFor(double radius, double latitude) {
        if (radius == 0) {
            return FULL;
        }
        int step = 1;
        for (double r = radius; r < MERCATOR_MOST; r *= 2) {
            step++;
        }
        step -= 2; // so that the area is covered wherever in the cell its centre is
        if (Math.abs(latitude) > 66) { // meridians draw together
            step -= Math.abs(latitude) > 80 ? 2 : 1;
        }
        return Math.clamp(step, 1, FULL);
    }

    /** The distance of two places on the surface, in metres (haversine). */
    public static double distance(Point a, Point b) {
        double latitude1 = radians(a.latitude);
        double latitude2 = radians(b.latitude);
        double v = Math.sin((radians(b.longitude) - radians(a.longitude)) / 2);
        if (v == 0) {
            return EARTH_RADIUS * Math.abs(latitude2 - latitude1);
        }
        double u = Math.sin((latitude2 - latitude1) / 2);
        return 2 * EARTH_RADIUS * Math.asin(Math.sqrt(u * u + Math.cos(latitude1) * Math.cos(latitude2) * v * v));
    }

    /** The smallest area of meridians and parallels around a place that has so many metres in each direction. */
    public static Area around(Point centre, double halfWidth, double halfHeight) {
        double latitude = centre.latitude;
        double height = degrees(halfHeight / EARTH_RADIUS);
        // The edge that is nearer to the pole is the longer one in degrees.
        double edge = latitude < 0 ? latitude - height : latitude + height;
        double width = degrees(halfWidth / EARTH_RADIUS / Math.cos(radians(edge)));
        return new Area(centre.longitude - width, latitude - height, centre.longitude + width, latitude + height);
    }

    private static double radians(double degrees) {
        return degrees * DEGREES_TO_RADIANS;
    }

    private static double degrees(double radians) {
        return radians / DEGREES_TO_RADIANS;
    }

    /** Puts a zero bit before each of the lower 32. */
    private static long spread(long v) {
        long x = v;
        x = (x | x << 16) & 0x0000ffff0000ffffL;
        x = (x | x << 8) & 0x00ff00ff00ff00ffL;
        x = (x | x << 4) & 0x0f0f0f0f0f0f0f0fL;
        x = (x | x << 2) & 0x3333333333333333L;
        return (x | x << 1) & 0x5555555555555555L;
    }

    /** Takes every second bit, the lowest first. */
    private static long gather(long v) {
        long x = v & 0x5555555555555555L;
        x = (x | x >>> 1) & 0x3333333333333333L;
        x = (x | x >>> 2) & 0x0f0f0f0f0f0f0f0fL;
        x = (x | x >>> 4) & 0x00ff00ff00ff00ffL;
        x = (x | x >>> 8) & 0x0000ffff0000ffffL;
        return (x | x >>> 16) & 0x00000000ffffffffL;
    }
}
