package dev.heddle.command.data;

import java.util.ArrayList;
import java.util.List;

/** Replies as they go over the wire, written and read; one char per byte. */
final class Wire {

    static final String WRONG_TYPE = "-WRONGTYPE Operation against a key holding the wrong kind of value\r\n";
    static final String NOT_INTEGER = "-ERR value is not an integer or out of range\r\n";
    static final String SYNTAX = "-ERR syntax error\r\n";
    static final String NIL = "$-1\r\n";

    private final String text;
    private int at;

    private Wire(String text) {
        this.text = text;
    }

    static String bulk(String text) {
        return "$" + text.length() + "\r\n" + text + "\r\n";
    }

    /** An array of bulk strings. */
    static String array(String... elements) {
        return aggregate("*", elements.length, elements);
    }

    /** A RESP3 set of bulk strings. */
    static String set(String... elements) {
        return aggregate("~", elements.length, elements);
    }

    /** A RESP3 map of bulk strings, keys and values in turn. */
    static String map(String... elements) {
        return aggregate("%", elements.length / 2, elements);
    }

    /** An array of integers. */
    static String integers(long... numbers) {
        StringBuilder reply = new StringBuilder("*" + numbers.length + "\r\n");
        for (long number : numbers) {
            reply.append(':').append(number).append("\r\n");
        }
        return reply.toString();
    }

    static String error(String text) {
        return "-ERR " + text + "\r\n";
    }

    private static String aggregate(String type, int length, String... elements) {
        StringBuilder reply = new StringBuilder(type + length + "\r\n");
        for (String element : elements) {
            reply.append(bulk(element));
        }
        return reply.toString();
    }

    /** All bulk strings of a reply, however they are nested; nulls are left out. */
    static List<String> strings(String reply) {
        Wire wire = new Wire(reply);
        List<String> found = new ArrayList<>();
        while (wire.at < reply.length()) {
            String line = wire.line();
            if (line.startsWith("$") && !line.equals("$-1")) {
                int length = Integer.parseInt(line.substring(1));
                found.add(reply.substring(wire.at, wire.at + length));
                wire.at += length + 2;
            } else if (line.startsWith("-")) {
                throw new AssertionError(line);
            }
        }
        return found;
    }

    private String line() {
        int end = text.indexOf("\r\n", at);
        String line = text.substring(at, end);
        at = end + 2;
        return line;
    }
}
