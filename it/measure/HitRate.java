import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * How often a cache of limited size has what is asked for: the same Zipf-distributed requests to several servers, side by side. Each request is a GET,
 * and a SET of 100 bytes if it missed.
 *
 * <pre>
 *   java it/measure/HitRate.java PORT [PORT...]
 * </pre>
 *
 * The servers should be empty. The limit of each is what it uses with 20,000 of these keys, so that all have room for the same number. The requests
 * are spread over half a minute, since keys remember their use in seconds.
 */
final class HitRate {

    private static final int KEYS = 200_000;
    private static final int ROOM = 20_000;
    private static final int REQUESTS = 1_500_000;
    private static final int SECONDS = 30;
    private static final int BATCH = 100;
    private static final byte[] VALUE = "v".repeat(100).getBytes(StandardCharsets.US_ASCII);

    private HitRate() {}

    public static void main(String[] args) throws Exception {
        System.out.printf("%-14s %6s %12s | hit rate in percent, keys at the end, for each port%n", "policy", "skew", "hot keys");
        for (String policy : List.of("allkeys-lru", "allkeys-lfu")) {
            for (double skew : new double[] {0.8, 0.99, 1.2}) {
                for (boolean moves : new boolean[] {false, true}) {
                    List<Run> runs = new ArrayList<>();
                    for (String port : args) {
                        runs.add(new Run(Integer.parseInt(port), policy, skew, moves));
                    }
                    for (Run run : runs) {
                        run.start();
                    }
                    StringBuilder line = new StringBuilder();
                    for (Run run : runs) {
                        run.join();
                        line.append(String.format("  %s: %5.2f (%d)", run.port, 100.0 * run.hits / run.requests, run.left));
                    }
                    System.out.printf("%-14s %6.2f %12s |%s%n", policy, skew, moves ? "change" : "stay", line);
                }
            }
        }
    }

    /** One server's share: its own connection, the same random numbers as the others. */
    private static final class Run extends Thread {
        private final int port;
        private final String policy;
        private final double[] cumulative;
        private final boolean moves;
        private long hits;
        private long requests;
        private long left;

        Run(int port, String policy, double skew, boolean moves) {
            this.port = port;
            this.policy = policy;
            this.moves = moves;
            this.cumulative = new double[KEYS];
            double sum = 0;
            for (int i = 0; i < KEYS; i++) {
                sum += 1 / Math.pow(i + 1.0, skew);
                cumulative[i] = sum;
            }
        }

        @Override
        public void run() {
            try (Client client = new Client(port)) {
                client.call("CONFIG", "SET", "maxmemory", "0");
                client.call("CONFIG", "SET", "maxmemory-policy", policy);
                client.call("FLUSHALL");
                for (int i = 0; i < ROOM; i++) {
                    client.call("SET", "fill:" + i, new String(VALUE, StandardCharsets.US_ASCII));
                }
                client.call("CONFIG", "SET", "maxmemory", Long.toString(client.used()));
                client.call("FLUSHALL");
                request(client);
                left = client.number("DBSIZE");
                client.call("CONFIG", "SET", "maxmemory", "0");
                client.call("FLUSHALL");
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }

        private void request(Client client) throws IOException {
            Random random = new Random(7);
            long begin = System.nanoTime();
            for (int done = 0; done < REQUESTS; done += BATCH) {
                int shift = moves ? done / (REQUESTS / 3) * (KEYS / 3) : 0;
                int[] keys = new int[BATCH];
                for (int i = 0; i < BATCH; i++) {
                    int place = Arrays.binarySearch(cumulative, random.nextDouble() * cumulative[KEYS - 1]);
                    keys[i] = ((place < 0 ? -place - 1 : place) + shift) % KEYS;
                    client.send("GET", "key:" + keys[i]);
                }
                client.flush();
                boolean[] missed = new boolean[BATCH];
                int sets = 0;
                for (int i = 0; i < BATCH; i++) {
                    missed[i] = client.isNil();
                }
                for (int i = 0; i < BATCH; i++) {
                    if (missed[i]) {
                        client.send("SET", "key:" + keys[i], new String(VALUE, StandardCharsets.US_ASCII));
                        sets++;
                    }
                }
                client.flush();
                for (int i = 0; i < sets; i++) {
                    client.isNil();
                }
                if (done >= REQUESTS / 5) { // the first fifth fills it
                    requests += BATCH;
                    hits += BATCH - sets;
                }
                long due = begin + (long) ((double) done / REQUESTS * SECONDS * 1e9);
                while (System.nanoTime() < due) {
                    java.util.concurrent.locks.LockSupport.parkNanos(due - System.nanoTime());
                }
            }
        }
    }

    private static final class Client implements AutoCloseable {
        private final Socket socket;
        private final InputStream in;
        private final OutputStream out;

        Client(int port) throws IOException {
            socket = new Socket("127.0.0.1", port);
            socket.setTcpNoDelay(true);
            in = new BufferedInputStream(socket.getInputStream(), 1 << 16);
            out = new BufferedOutputStream(socket.getOutputStream(), 1 << 16);
        }

        void send(String... words) throws IOException {
            StringBuilder text = new StringBuilder().append('*').append(words.length).append("\r\n");
            for (String word : words) {
                text.append('$').append(word.length()).append("\r\n").append(word).append("\r\n");
            }
            out.write(text.toString().getBytes(StandardCharsets.ISO_8859_1));
        }

        void flush() throws IOException {
            out.flush();
        }

        /** Reads a reply that is a line or a bulk string. */
        boolean isNil() throws IOException {
            return text() == null;
        }

        private String text() throws IOException {
            StringBuilder line = new StringBuilder();
            for (int c = in.read(); c != '\r'; c = in.read()) {
                line.append((char) c);
            }
            in.read();
            if (line.charAt(0) == '-') {
                throw new IOException(line.toString());
            }
            if (line.charAt(0) != '$') {
                return line.substring(1);
            }
            int length = Integer.parseInt(line.substring(1));
            return length < 0 ? null : new String(in.readNBytes(length + 2), StandardCharsets.ISO_8859_1);
        }

        void call(String... words) throws IOException {
            number(words);
        }

        long number(String... words) throws IOException {
            send(words);
            flush();
            String reply = text();
            return reply == null || !reply.matches("\\d+") ? 0 : Long.parseLong(reply);
        }

        long used() throws IOException {
            send("INFO", "memory");
            flush();
            return text().lines()
                    .filter(line -> line.startsWith("used_memory:"))
                    .mapToLong(line -> Long.parseLong(line.substring("used_memory:".length()).trim()))
                    .findFirst()
                    .orElseThrow();
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}
