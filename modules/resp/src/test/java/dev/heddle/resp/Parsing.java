package dev.heddle.resp;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a {@link RequestReader} makes of a byte stream that arrives in given pieces. */
final class Parsing {
    final List<List<String>> commands = new ArrayList<>();
    final RequestReader reader;

    @Nullable
    ProtocolException failure;

    long mostCapacity;

    Parsing(RequestReader reader) {
        this.reader = reader;
    }

    static Parsing of(String stream) {
        return of(bytes(stream));
    }

    static Parsing of(byte[] stream, int... pieces) {
        return new Parsing(new RequestReader(new ProtocolLimits())).feed(stream, pieces);
    }

    /** Delivers the stream in pieces of these sizes, in turn, and in one piece if there are none. */
    Parsing feed(byte[] stream, int... pieces) {
        int at = 0;
        int turn = 0;
        while (at < stream.length && failure == null) {
            int wanted = pieces.length == 0 ? stream.length : pieces[turn++ % pieces.length];
            int end = Math.min(stream.length, at + wanted);
            while (at < end && failure == null) {
                at += deliver(stream, at, end);
            }
        }
        return this;
    }

    private int deliver(byte[] stream, int from, int end) {
        int room = reader.room();
        if (room < 1) {
            throw new AssertionError("no room");
        }
        int n = Math.min(room, end - from);
        System.arraycopy(stream, from, reader.array(), reader.writeIndex(), n);
        reader.received(n);
        try {
            while (reader.next()) {
                commands.add(texts(reader.request()));
            }
        } catch (ProtocolException e) {
            failure = e;
        }
        mostCapacity = Math.max(mostCapacity, reader.capacity());
        return n;
    }

    String error() {
        return failure == null ? "none" : failure.text();
    }

    static List<String> texts(Request request) {
        var texts = new ArrayList<String>();
        for (int i = 0; i < request.count(); i++) {
            texts.add(request.string(i));
        }
        return texts;
    }

    static byte[] bytes(String latin1) {
        return latin1.getBytes(StandardCharsets.ISO_8859_1);
    }

    static String encode(List<String> command) {
        var text = new StringBuilder("*" + command.size() + "\r\n");
        for (String argument : command) {
            text.append('$')
                    .append(argument.length())
                    .append("\r\n")
                    .append(argument)
                    .append("\r\n");
        }
        return text.toString();
    }
}
