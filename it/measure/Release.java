import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * How long letting go of much data holds up other clients: one client deletes, flushes or lets expire, another one asks for a small key all the
 * time and notes how long each answer takes.
 *
 * <pre>
 *   java it/measure/Release.java PORT [KEYS]
 * </pre>
 *
 * The server should be empty and allow DEBUG. KEYS, 5 million unless said otherwise, are flushed; a million elements are deleted at once, and
 * half a million keys expire within one second.
 */
final class Release {

    private static final int ELEMENTS = 1_000_000;
    private static final int CHUNK = 1_000;

    private Release() {}

    public static void main(String[] args) throws Exception {
        int port = Integer.parseInt(args[0]);
        int keys = args.length > 1 ? Integer.parseInt(args[1]) : 5_000_000;
        System.out.printf("%-34s %10s %10s %10s%n", "", "answers", "99.9 % ms", "max ms");
        try (Client client = new Client(port)) {
            client.call("SET small value");
            measure(port, "nothing", () -> Thread.sleep(3_000));
            for (String type : new String[] {"SADD", "HSET", "RPUSH", "ZADD"}) {
                fill(client, type);
                client.call("SET small value");
                measure(port, "DEL of a million elements, " + type, () -> {
                    client.call("DEL big");
                    Thread.sleep(1_000);
                });
            }
            client.call("DEBUG POPULATE " + keys);
            client.call("SET small value");
            measure(port, "FLUSHALL of " + keys + " keys", () -> {
                client.call("FLUSHALL");
                Thread.sleep(1_000);
            });
            client.call("SET small value");
            expire(client);
            measure(port, "half a million keys expire", () -> Thread.sleep(8_000));
            System.out.println("left: " + client.call("DBSIZE"));
        }
    }

    private static void fill(Client client, String type) throws IOException {
        for (int from = 0; from < ELEMENTS; from += CHUNK) {
            StringBuilder command = new StringBuilder(type).append(" big");
            for (int i = from; i < from + CHUNK; i++) {
                command.append(type.equals("ZADD") ? " " + i : "").append(" element:").append(i);
                command.append(type.equals("HSET") ? " value" : "");
            }
            client.call(command.toString());
        }
    }

    private static void expire(Client client) throws IOException {
        long at = System.currentTimeMillis() + 6_000;
        for (int from = 0; from < ELEMENTS / 2; from += CHUNK) {
            StringBuilder commands = new StringBuilder();
            for (int i = from; i < from + CHUNK; i++) {
                commands.append("SET expiring:").append(i).append(" value PXAT ").append(at + i % 1_000).append("\r\n");
            }
            client.send(commands.toString());
            for (int i = 0; i < CHUNK; i++) {
                client.read();
            }
        }
    }

    private interface Action {
        void run() throws Exception;
    }

    private static void measure(int port, String what, Action action) throws Exception {
        AtomicBoolean goOn = new AtomicBoolean(true);
        long[] nanos = new long[10_000_000];
        int[] count = {0};
        Thread asker = new Thread(() -> {
            try (Client other = new Client(port)) {
                while (goOn.get() && count[0] < nanos.length) {
                    long begin = System.nanoTime();
                    other.call("GET small");
                    nanos[count[0]++] = System.nanoTime() - begin;
                }
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
        asker.start();
        action.run();
        goOn.set(false);
        asker.join();
        long[] sorted = Arrays.copyOf(nanos, count[0]);
        Arrays.sort(sorted);
        System.out.printf(
                "%-34s %10d %10.2f %10.2f%n",
                what, sorted.length, sorted[(int) (sorted.length * 0.999)] / 1e6, sorted[sorted.length - 1] / 1e6);
    }

    private static final class Client implements AutoCloseable {
        private final Socket socket;
        private final BufferedReader in;
        private final OutputStream out;

        Client(int port) throws IOException {
            socket = new Socket("127.0.0.1", port);
            socket.setTcpNoDelay(true);
            in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
            out = socket.getOutputStream();
        }

        void send(String text) throws IOException {
            out.write(text.getBytes(StandardCharsets.ISO_8859_1));
        }

        String read() throws IOException {
            String line = in.readLine();
            if (line == null || line.startsWith("-")) {
                throw new IOException(line);
            }
            return line.startsWith("$") && !line.equals("$-1") ? in.readLine() : line;
        }

        String call(String command) throws IOException {
            send(command + "\r\n");
            return read();
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}
