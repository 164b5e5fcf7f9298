package dev.heddle.console;

/** Limits on what the JDK's HTTP server takes from a client, which it reads from system properties. Stateless. */
final class HttpLimits {

    /** The largest body of a request: values are edited in the console, not imported. */
    static final int BODY_BYTES = 16 * 1024 * 1024;

    /** The largest body of a login. */
    static final int LOGIN_BYTES = 4 * 1024;

    private HttpLimits() {}

    /** To be called before the first HTTP server is made. Values given on the command line stay. */
    static void apply() {
        limit("sun.net.httpserver.maxReqTime", 30); // seconds until a request has come completely
        limit("sun.net.httpserver.idleInterval", 60); // seconds that a connection may be kept for the next request
        limit("sun.net.httpserver.maxIdleConnections", 32);
        limit("sun.net.httpserver.maxReqHeaders", 64);
        limit("sun.net.httpserver.maxReqHeaderSize", 16 * 1024);
        limit("jdk.httpserver.maxConnections", 128);
        if (System.getProperty("sun.net.httpserver.nodelay") == null) {
            System.setProperty("sun.net.httpserver.nodelay", "true");
        }
    }

    private static void limit(String property, int value) {
        if (System.getProperty(property) == null) {
            System.setProperty(property, Integer.toString(value));
        }
    }
}
