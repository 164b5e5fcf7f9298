package dev.heddle.it;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Starts the packaged distribution. Stateless. */
final class HeddleServer {

    private static final Distribution DIST = Distribution.ofThisBuild();

    private HeddleServer() {}

    /** A server on a free port of the loopback address with these directives ({@code --name value ...}). */
    static RunningServer start(String... directives) {
        int port = RunningServer.freePort();
        Path folder = RunningServer.newFolder("heddle");
        return RunningServer.launch(command(port, folder, directives), port, folder);
    }

    /** A server with these arguments only, a configuration file first perhaps, once it is ready. */
    static RunningServer startWith(int port, Path folder, List<String> arguments) {
        return RunningServer.launch(program(arguments), port, folder);
    }

    /** The same, but without waiting for anything: for one that is to fail. */
    static RunningServer spawn(Path folder, List<String> arguments) {
        return RunningServer.spawn(program(arguments), 0, folder);
    }

    /** As {@link #start}, for a server none of whose files can become larger than that: the disk seems full to it. */
    static RunningServer startWithLargestFile(int kibibytes, String... directives) {
        int port = RunningServer.freePort();
        Path folder = RunningServer.newFolder("heddle");
        List<String> command =
                new ArrayList<>(List.of("bash", "-c", "ulimit -f " + kibibytes + " && exec \"$0\" \"$@\""));
        command.addAll(command(port, folder, directives));
        return RunningServer.launch(command, port, folder);
    }

    /** As {@link #start}, with so much heap and no more. */
    static RunningServer startWithHeap(String size, String... directives) {
        int port = RunningServer.freePort();
        Path folder = RunningServer.newFolder("heddle");
        List<String> command = new ArrayList<>(List.of("env", "HEDDLE_JAVA_OPTS=-Xmx" + size));
        command.addAll(command(port, folder, directives));
        return RunningServer.launch(command, port, folder);
    }

    /** A server on a port of the loopback address with the files in this folder, as another one before it has left them. */
    static RunningServer restart(Path folder, int port, String... directives) {
        return RunningServer.launch(command(port, folder, directives), port, folder);
    }

    /** As {@link #restart}, without waiting for it to be ready. */
    static RunningServer spawn(Path folder, int port, String... directives) {
        return RunningServer.spawn(command(port, folder, directives), port, folder);
    }

    private static List<String> program(List<String> arguments) {
        List<String> command = new ArrayList<>(List.of(DIST.program().toString()));
        command.addAll(arguments);
        return command;
    }

    private static List<String> command(int port, Path folder, String... directives) {
        List<String> command =
                program(List.of("--port", Integer.toString(port), "--bind", "127.0.0.1", "--dir", folder.toString()));
        if (!List.of(directives).contains("--console-port")) {
            command.addAll(List.of("--console-port", "0"));
        }
        command.addAll(List.of(directives));
        return command;
    }
}
