package dev.heddle.persistence.rdb;

import dev.heddle.resp.Numbers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Takes apart the byte strings in which Redis keeps small collections, of today and of earlier versions. Each function checks every byte: what
 * it accepts is well-formed to the end. Stateless.
 *
 * <p>All return the elements as arrays that nobody else has, or null if the string is damaged.
 */
final class PackedBlobs {

    private static final int END = 0xff;
    private static final int UNKNOWN_COUNT = 0xffff;

    private PackedBlobs() {}

    /*
     * Listpack: total bytes (4), number of elements (2, or 65535 for "count them"), elements, 255. An element is its data behind a
     * header that says form and length, then the length of both in one to five bytes that can be read backwards.
     */

    static @Nullable List<byte[]> listpack(byte[] blob) {
        int last = blob.length - 1;
        if (blob.length < 7 || little(blob, 0, 4) != blob.length || (blob[last] & 0xff) != END) {
            return null;
        }
        List<byte[]> elements = new ArrayList<>();
        int at = 6;
        while (at < last) {
            int header = listpackHeader(blob[at] & 0xff);
            if (header == 0 || header > last - at) {
                return null;
            }
            long data = listpackData(blob, at);
            long size = header + data;
            if (data < 0 || size > last - at) {
                return null;
            }
            int next = backLength(blob, at + (int) size, (int) size, last);
            if (next < 0) {
                return null;
            }
            elements.add(listpackElement(blob, at, header, (int) data));
            at = next;
        }
        long count = little(blob, 4, 2);
        return count == UNKNOWN_COUNT || count == elements.size() ? elements : null;
    }

    /** Bytes before the data, 0 for an unknown form. */
    private static int listpackHeader(int first) {
        if (first < 0xc0) {
            return 1;
        }
        return switch (first) {
            case 0xf0 -> 5;
            case 0xf1, 0xf2, 0xf3, 0xf4 -> 1;
            default -> first < 0xf0 ? 2 : 0;
        };
    }

    /** Bytes of the data behind the header; the header is there in full. */
    private static long listpackData(byte[] blob, int at) {
        int first = blob[at] & 0xff;
        if (first < 0x80) {
            return 0;
        }
        if (first < 0xc0) {
            return first & 0x3f;
        }
        if (first < 0xe0) {
            return 0;
        }
        if (first < 0xf0) {
            return (first & 0x0fL) << 8 | blob[at + 1] & 0xff;
        }
        return switch (first) {
            case 0xf1 -> 2;
            case 0xf2 -> 3;
            case 0xf3 -> 4;
            case 0xf4 -> 8;
            default -> little(blob, at + 1, 4);
        };
    }

    private static byte[] listpackElement(byte[] blob, int at, int header, int data) {
        int first = blob[at] & 0xff;
        if (first < 0x80) {
            return Numbers.toBytes(first);
        }
        if (first >= 0xc0 && first < 0xe0) {
            int value = (first & 0x1f) << 8 | blob[at + 1] & 0xff;
            return Numbers.toBytes(value < 1 << 12 ? value : value - (1 << 13));
        }
        if (first > 0xf0) {
            return Numbers.toBytes(signed(blob, at + 1, data));
        }
        return Arrays.copyOfRange(blob, at + header, at + header + data);
    }

    /**
     * Checks that a size is repeated at this place, in groups of seven bits. From two groups on, the largest size that would fit takes one
     * more: that is how Redis has always written it.
     *
     * @return the place behind it, -1 if it is not there
     */
    private static int backLength(byte[] blob, int at, int size, int limit) {
        int groups = 1;
        while (groups < 5 && size > (1 << 7 * groups) - (groups == 1 ? 1 : 2)) {
            groups++;
        }
        if (groups > limit - at) {
            return -1;
        }
        for (int i = 0; i < groups; i++) {
            int group = size >>> 7 * (groups - 1 - i) & 0x7f;
            if ((blob[at + i] & 0xff) != (i == 0 ? group : group | 0x80)) {
                return -1;
            }
        }
        return at + groups;
    }

    /*
     * Ziplist, until Redis 6: total bytes (4), place of the last element (4), number of elements (2, or 65535), elements, 255. An element
     * is the size of the one before (1 byte, or 254 and 4 bytes), a header that says form and length, and its data.
     */

    static @Nullable List<byte[]> ziplist(byte[] blob) {
        int last = blob.length - 1;
        if (blob.length < 11 || little(blob, 0, 4) != blob.length || (blob[last] & 0xff) != END) {
            return null;
        }
        List<byte[]> elements = new ArrayList<>();
        int at = 10;
        int previous = 0;
        int tail = at;
        while (at < last) {
            int start = at;
            boolean wide = (blob[at] & 0xff) == 254;
            if ((blob[at] & 0xff) == END || (last - at < 6 && wide)) {
                return null;
            }
            long said = wide ? little(blob, at + 1, 4) : blob[at] & 0xff;
            at += wide ? 5 : 1;
            if (said != previous || at >= last) {
                return null;
            }
            int header = ziplistHeader(blob[at] & 0xff);
            if (header == 0 || header > last - at) {
                return null;
            }
            long data = ziplistData(blob, at);
            if (data < 0 || data > last - at - header) {
                return null;
            }
            elements.add(ziplistElement(blob, at, header, (int) data));
            at += header + (int) data;
            previous = at - start;
            tail = start;
        }
        long count = little(blob, 8, 2);
        boolean counted = count == UNKNOWN_COUNT || count == elements.size();
        return counted && little(blob, 4, 4) == tail ? elements : null;
    }

    private static int ziplistHeader(int first) {
        return switch (first >> 6) {
            case 0 -> 1;
            case 1 -> 2;
            case 2 -> 5;
            default ->
                switch (first) {
                    case 0xc0, 0xd0, 0xe0, 0xf0, 0xfe -> 1;
                    default -> first > 0xf0 && first < 0xfe ? 1 : 0;
                };
        };
    }

    private static long ziplistData(byte[] blob, int at) {
        int first = blob[at] & 0xff;
        return switch (first >> 6) {
            case 0 -> first;
            case 1 -> (first & 0x3f) << 8 | blob[at + 1] & 0xff;
            case 2 ->
                (blob[at + 1] & 0xffL) << 24
                        | (blob[at + 2] & 0xffL) << 16
                        | (blob[at + 3] & 0xffL) << 8
                        | blob[at + 4] & 0xffL;
            default ->
                switch (first) {
                    case 0xc0 -> 2;
                    case 0xd0 -> 4;
                    case 0xe0 -> 8;
                    case 0xf0 -> 3;
                    case 0xfe -> 1;
                    default -> 0;
                };
        };
    }

    private static byte[] ziplistElement(byte[] blob, int at, int header, int data) {
        int first = blob[at] & 0xff;
        if (first < 0xc0) {
            return Arrays.copyOfRange(blob, at + header, at + header + data);
        }
        return Numbers.toBytes(data == 0 ? (first & 0x0f) - 1 : signed(blob, at + 1, data));
    }

    /*
     * Zipmap, until Redis 2.4: number of pairs (1, of no use beyond 253), then for each the length of its field (1, or 254 and 4 bytes), the
     * field, the length of its value, how many bytes are unused behind the value (1), the value and these bytes; 255.
     */

    static @Nullable List<byte[]> zipmap(byte[] blob) {
        int last = blob.length - 1;
        if (blob.length < 2 || (blob[last] & 0xff) != END) {
            return null;
        }
        List<byte[]> elements = new ArrayList<>();
        int at = 1;
        while (at < last) {
            boolean value = (elements.size() & 1) == 1;
            boolean wide = (blob[at] & 0xff) == 254;
            int header = (wide ? 5 : 1) + (value ? 1 : 0);
            if ((blob[at] & 0xff) == END || header > last - at) {
                return null;
            }
            long length = wide ? little(blob, at + 1, 4) : blob[at] & 0xff;
            int unused = value ? blob[at + header - 1] & 0xff : 0;
            at += header;
            if (length + unused > last - at) {
                return null;
            }
            elements.add(Arrays.copyOfRange(blob, at, at + (int) length));
            at += (int) length + unused;
        }
        int count = blob[0] & 0xff;
        boolean pairs = (elements.size() & 1) == 0;
        return pairs && (count >= 254 || count == elements.size() / 2) ? elements : null;
    }

    /** Intset: bytes of each number (4), how many there are (4), the numbers in ascending order. Returns null if it is damaged. */
    static long @Nullable [] intset(byte[] blob) {
        if (blob.length < 8) {
            return null;
        }
        long width = little(blob, 0, 4);
        long count = little(blob, 4, 4);
        if ((width != 2 && width != 4 && width != 8) || blob.length - 8 != width * count) {
            return null;
        }
        long[] numbers = new long[(int) count];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = signed(blob, 8 + i * (int) width, (int) width);
            if (i > 0 && numbers[i] <= numbers[i - 1]) {
                return null;
            }
        }
        return numbers;
    }

    private static long little(byte[] blob, int at, int bytes) {
        long value = 0;
        for (int i = 0; i < bytes; i++) {
            value |= (blob[at + i] & 0xffL) << 8 * i;
        }
        return value;
    }

    private static long signed(byte[] blob, int at, int bytes) {
        int unused = Long.SIZE - 8 * bytes;
        return little(blob, at, bytes) << unused >> unused;
    }

    /** A score as text, as sorted sets keep it in packed form; NaN if it is none. */
    static double score(byte[] text) {
        return Numbers.parseDouble(text, 0, text.length);
    }
}
