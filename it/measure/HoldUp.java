import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * How long a command with a huge reply holds up other clients: one client runs it over and over and reads everything, another one sends
 * PING and GET in turn and notes how long each takes.
 *
 * <pre>
 *   java it/measure/HoldUp.java PORT [ELEMENTS [SECONDS [COMMAND...]]]
 * </pre>
 *
 * Fills the server first (it should be empty), with a set, a hash, a list, a sorted set, a stream and keys of so many elements each, a million unless
 * said otherwise. Works with any server that speaks the protocol.
 */
final class HoldUp {

    private static final int CHUNK = 1_000;
    private static final String END = "end-of-reply";

    private final int port;
    private final int elements;
    private final long seconds;

    private HoldUp(int port, int elements, long seconds) {
        this.port = port;
        this.elements = elements;
        this.seconds = seconds;
    }

    public static void main(String[] args) throws Exception {
        HoldUp measurement = new HoldUp(
                Integer.parseInt(args[0]),
                args.length > 1 ? Integer.parseInt(args[1]) : 1_000_000,
                args.length > 2 ? Long.parseLong(args[2]) : 5);
        measurement.fill();
        System.out.printf(
                "%-28s %8s %10s | others: %9s %9s %9s %9s%n", "command", "runs", "ms each", "answers", "median", "99.9 %", "max ms");
        List<String> commands = args.length > 3
                ? List.of(args).subList(3, args.length)
                : List.of("", "SMEMBERS set", "HGETALL hash", "LRANGE list 0 -1", "ZRANGE zset 0 -1", "XRANGE stream - +", "KEYS *");
        for (String command : commands) {
            measurement.measure(command);
        }
    }

    private void fill() throws IOException {
        try (Client client = new Client(port)) {
            for (int from = 0; from < elements; from += CHUNK) {
                StringBuilder commands = new StringBuilder();
                StringBuilder sadd = new StringBuilder("SADD set");
                StringBuilder hset = new StringBuilder("HSET hash");
                StringBuilder rpush = new StringBuilder("RPUSH list");
                StringBuilder zadd = new StringBuilder("ZADD zset");
                StringBuilder mset = new StringBuilder("MSET");
                StringBuilder xadd = new StringBuilder();
                for (int i = from; i < Math.min(from + CHUNK, elements); i++) {
                    sadd.append(" member:").append(i);
                    hset.append(" field:").append(i).append(" value:").append(i);
                    rpush.append(" element:").append(i);
                    zadd.append(' ').append(i).append(" member:").append(i);
                    mset.append(" key:").append(i).append(" value");
                    xadd.append("XADD stream ").append(i + 1).append("-0 field value:").append(i).append("\r\n");
                }
                for (StringBuilder command : List.of(sadd, hset, rpush, zadd, mset)) {
                    commands.append(command).append("\r\n");
                }
                commands.append(xadd);
                client.run(commands.toString());
            }
            client.run("SET stays value\r\n");
        }
    }

    private void measure(String command) throws Exception {
        AtomicBoolean stop = new AtomicBoolean();
        long[] runs = new long[2];
        Thread runner = Thread.ofPlatform().start(() -> runOverAndOver(command, stop, runs));
        double[] waits = observe();
        stop.set(true);
        runner.join();
        System.out.printf(
                "%-28s %8d %10.1f |         %9d %9.3f %9.3f %9.3f%n",
                command.isEmpty() ? "(nothing)" : command,
                runs[0],
                runs[0] == 0 ? 0 : runs[1] / 1e6 / runs[0],
                waits.length,
                waits[waits.length / 2],
                waits[(int) (waits.length * 0.999)],
                waits[waits.length - 1]);
    }

    private void runOverAndOver(String command, AtomicBoolean stop, long[] runs) {
        if (command.isEmpty()) {
            return;
        }
        try (Client client = new Client(port)) {
            while (!stop.get()) {
                long begin = System.nanoTime();
                client.run(command + "\r\n");
                runs[0]++;
                runs[1] += System.nanoTime() - begin;
            }
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    /** What a client waits for its answers, in milliseconds, in ascending order. */
    private double[] observe() throws IOException {
        double[] waits = new double[1 << 20];
        int count = 0;
        try (Client client = new Client(port)) {
            long end = System.nanoTime() + seconds * 1_000_000_000;
            while (System.nanoTime() < end && count < waits.length) {
                long begin = System.nanoTime();
                client.ask(count % 2 == 0 ? "PING\r\n" : "GET stays\r\n");
                waits[count++] = (System.nanoTime() - begin) / 1e6;
            }
        }
        double[] sorted = Arrays.copyOf(waits, count);
        Arrays.sort(sorted);
        return sorted;
    }

    /** A connection. Confined to one thread. */
    private static final class Client implements AutoCloseable {
        private static final byte[] ECHO = ("ECHO " + END + "\r\n").getBytes(StandardCharsets.US_ASCII);
        private static final byte[] ECHOED =
                ("$" + END.length() + "\r\n" + END + "\r\n").getBytes(StandardCharsets.US_ASCII);

        private final Socket socket;
        private final InputStream in;
        private final OutputStream out;
        private final byte[] buffer = new byte[1 << 18];

        Client(int port) throws IOException {
            socket = new Socket("127.0.0.1", port);
            socket.setTcpNoDelay(true);
            in = socket.getInputStream();
            out = socket.getOutputStream();
        }

        /** Sends one short command and reads its short reply. */
        void ask(String command) throws IOException {
            out.write(command.getBytes(StandardCharsets.US_ASCII));
            if (in.read(buffer) < 0) {
                throw new IOException("closed");
            }
        }

        /** Sends commands and reads until the end of the last reply. */
        void run(String commands) throws IOException {
            out.write(commands.getBytes(StandardCharsets.US_ASCII));
            out.write(ECHO);
            byte[] tail = new byte[ECHOED.length];
            while (!Arrays.equals(tail, ECHOED)) {
                int count = in.read(buffer);
                if (count < 0) {
                    throw new IOException("closed");
                }
                int kept = Math.max(0, tail.length - count);
                System.arraycopy(tail, tail.length - kept, tail, 0, kept);
                int taken = tail.length - kept;
                System.arraycopy(buffer, count - taken, tail, kept, taken);
            }
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}
