package dev.heddle.console;

import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import com.google.gson.stream.MalformedJsonException;
import java.io.EOFException;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/**
 * Commands that a page wants to run: {@code {"session": "...", "commands": [["SET", "k", {"base64": "AP8="}], ...]}}. An argument is a string
 * (its UTF-8), a number, or an object with Base64. Immutable.
 */
record RunRequest(String session, List<List<byte[]>> commands) {

    private static final int MOST_COMMANDS = 10_000;

    /** @throws HttpFailure 400 if the text is not of this form */
    static RunRequest parse(byte[] body) throws HttpFailure {
        String session = "";
        List<List<byte[]>> commands = List.of();
        try (JsonReader in = new JsonReader(new StringReader(new String(body, StandardCharsets.UTF_8)))) {
            in.beginObject();
            while (in.hasNext()) {
                switch (in.nextName()) {
                    case "session" -> session = in.nextString();
                    case "commands" -> commands = commands(in);
                    default -> in.skipValue();
                }
            }
            in.endObject();
        } catch (MalformedJsonException | EOFException | IllegalStateException | IllegalArgumentException malformed) {
            throw new HttpFailure(400, "malformed request");
        } catch (IOException impossible) {
            throw new HttpFailure(400, String.valueOf(impossible.getMessage()));
        }
        return new RunRequest(session, commands);
    }

    private static List<List<byte[]>> commands(JsonReader in) throws IOException, HttpFailure {
        List<List<byte[]>> commands = new ArrayList<>();
        in.beginArray();
        while (in.hasNext()) {
            List<byte[]> arguments = new ArrayList<>();
            in.beginArray();
            while (in.hasNext()) {
                arguments.add(argument(in));
            }
            in.endArray();
            if (arguments.isEmpty()) {
                throw new HttpFailure(400, "a command without a name");
            }
            if (commands.size() == MOST_COMMANDS) {
                throw new HttpFailure(413, "too many commands at once");
            }
            commands.add(arguments);
        }
        in.endArray();
        return commands;
    }

    private static byte[] argument(JsonReader in) throws IOException {
        if (in.peek() != JsonToken.BEGIN_OBJECT) {
            return in.nextString().getBytes(StandardCharsets.UTF_8);
        }
        byte[] bytes = {};
        in.beginObject();
        while (in.hasNext()) {
            if (in.nextName().equals("base64")) {
                bytes = Base64.getDecoder().decode(in.nextString());
            } else {
                throw new MalformedJsonException("unknown name");
            }
        }
        in.endObject();
        return bytes;
    }
}
