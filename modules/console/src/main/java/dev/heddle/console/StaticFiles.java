package dev.heddle.console;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The pages, styles and scripts, out of the jars.
 *
 * <p>Thread-safe. Nothing is kept but each file's tag: browsers ask only whether what they have is still right.
 */
final class StaticFiles {

    private static final Pattern NAME = Pattern.compile("/(?:[a-z0-9-]+/)?[a-z0-9-]+\\.(html|js|css|svg)");
    private static final Map<String, String> TYPES = Map.of(
            "html", "text/html; charset=utf-8",
            "js", "text/javascript; charset=utf-8",
            "css", "text/css; charset=utf-8",
            "svg", "image/svg+xml");
    private static final String CHARTS = "/META-INF/resources/webjars/uplot/1.6.30/dist/";
    private static final Map<String, String> LIBRARY =
            Map.of("/lib/uplot.js", CHARTS + "uPlot.esm.js", "/lib/uplot.css", CHARTS + "uPlot.min.css");

    private final Map<String, String> tags = new ConcurrentHashMap<>();

    void serve(HttpExchange exchange, String path) throws IOException, HttpFailure {
        String name = path.equals("/") ? "/index.html" : path;
        byte[] body = NAME.matcher(name).matches() ? read(name) : null;
        if (body == null) {
            throw new HttpFailure(404, "there is nothing here");
        }
        String tag = tags.computeIfAbsent(name, any -> tag(body));
        exchange.getResponseHeaders().set("ETag", tag);
        exchange.getResponseHeaders().set("Cache-Control", "no-cache");
        if (tag.equals(Guard.header(exchange, "If-None-Match"))) {
            exchange.sendResponseHeaders(304, -1);
            return;
        }
        String type = TYPES.get(name.substring(name.lastIndexOf('.') + 1));
        Responses.bytes(exchange, 200, String.valueOf(type), body);
    }

    private static byte @Nullable [] read(String name) throws IOException {
        String library = LIBRARY.get(name);
        try (InputStream in = library == null
                ? StaticFiles.class.getResourceAsStream("web" + name)
                : StaticFiles.class.getResourceAsStream(library)) {
            return in == null ? null : in.readAllBytes();
        }
    }

    private static String tag(byte[] body) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(body);
            return '"' + HexFormat.of().formatHex(digest, 0, 8) + '"';
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
