package dev.heddle.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which doors there are, and who may come in. */
class AccessIT {

    private static final String UNABLE =
            "ERR CONFIG SET failed (possibly related to argument '%s') - Unable to listen on this port. Check server logs.";

    @Test
    void withoutAPasswordOtherMachinesAreRefused() {
        InetAddress outside = outsideAddress();
        try (RunningServer heddle = HeddleServer.start("--bind", "127.0.0.1 " + outside.getHostAddress());
                RawClient local = heddle.connect()) {
            InetSocketAddress address = new InetSocketAddress(outside, heddle.port());
            try (RawClient stranger = RawClient.connect(address, 0)) {
                assertThat(stranger.readToEnd())
                        .startsWith("-DENIED ")
                        .contains("protected mode")
                        .endsWith("\r\n");
            }
            assertThat(local.call("CONFIG", "SET", "requirepass", "secret").text())
                    .isEqualTo("OK");
            try (RawClient stranger = RawClient.connect(address, 0)) {
                assertThat(stranger.call("PING").text()).isEqualTo("NOAUTH Authentication required.");
                assertThat(stranger.call("AUTH", "secret").text()).isEqualTo("OK");
            }
            assertThat(local.call("CONFIG", "SET", "requirepass", "", "protected-mode", "no")
                            .text())
                    .isEqualTo("OK");
            try (RawClient stranger = RawClient.connect(address, 0)) {
                assertThat(stranger.call("PING").text()).isEqualTo("PONG");
            }
        }
    }

    private static InetAddress outsideAddress() {
        try {
            return NetworkInterface.networkInterfaces()
                    .flatMap(NetworkInterface::inetAddresses)
                    .filter(address -> address instanceof Inet4Address && !address.isLoopbackAddress())
                    .findFirst()
                    .orElseThrow(() -> Programs.skip("this machine has no address but the loopback ones"));
        } catch (SocketException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void thePasswordOpensTheDoorAndNothingElseDoes() {
        try (RunningServer heddle = HeddleServer.start("--requirepass", "secret word")) {
            try (RawClient client = heddle.connect()) {
                assertThat(client.call("GET", "k").text()).isEqualTo("NOAUTH Authentication required.");
                assertThat(client.call("HELLO", "3").text())
                        .startsWith("NOAUTH HELLO must be called with the client already");
                assertThat(client.call("AUTH", "wrong").text())
                        .isEqualTo("WRONGPASS invalid username-password pair or user is disabled.");
                assertThat(client.call("AUTH", "nobody", "secret word").text()).startsWith("WRONGPASS ");
                assertThat(client.call("AUTH", "secret word").text()).isEqualTo("OK");
                assertThat(client.call("SET", "k", "v").text()).isEqualTo("OK");
            }
            try (RawClient client = heddle.connect()) {
                assertThat(client.call("HELLO", "3", "AUTH", "default", "wrong").text())
                        .startsWith("WRONGPASS ");
                assertThat(client.call("HELLO", "3", "AUTH", "default", "secret word", "SETNAME", "me")
                                .type())
                        .isEqualTo('%');
                assertThat(client.call("CLIENT", "GETNAME").text()).isEqualTo("me");
                assertThat(client.call("CONFIG", "SET", "requirepass", "").text())
                        .isEqualTo("OK");
            }
            try (RawClient client = heddle.connect()) {
                assertThat(client.call("GET", "k").text()).isEqualTo("v");
                assertThat(client.call("AUTH", "secret word").text())
                        .startsWith("ERR AUTH <password> called without any password configured");
            }
        }
    }

    @Test
    void aUnixSocketServesAsWellAndHasThePermissionsAsked() throws IOException {
        Path socket = Path.of(System.getProperty("java.io.tmpdir"))
                .resolve("heddle-it-" + ProcessHandle.current().pid() + ".sock");
        try (RunningServer heddle =
                HeddleServer.start("--unixsocket", socket.toString(), "--unixsocketperm", "700", "--port", "0")) {
            assertThat(Files.getPosixFilePermissions(socket)).isEqualTo(PosixFilePermissions.fromString("rwx------"));
            try (RawClient client = RawClient.connect(socket)) {
                assertThat(client.call("SET", "k", "v").text()).isEqualTo("OK");
                assertThat(client.call("CLIENT", "LIST").text()).contains("addr=" + socket + ":0 ");
            }
            assertThatThrownBy(heddle::connect).isInstanceOf(UncheckedIOException.class);
        }
        assertThat(socket).doesNotExist();
    }

    @Test
    void severalAddressesAreListenedOn() throws IOException {
        String six = hasIpv6Loopback() ? " ::1" : "";
        try (RunningServer heddle = HeddleServer.start("--bind", "127.0.0.1 127.0.0.2 -192.0.2.1" + six)) {
            for (String host : ("127.0.0.1 127.0.0.2" + six).split(" ")) {
                try (RawClient client = RawClient.connect(new InetSocketAddress(host, heddle.port()), 0)) {
                    assertThat(client.call("PING").text()).isEqualTo("PONG");
                }
            }
        }
        if (six.isEmpty()) {
            Programs.skip("this machine has no IPv6");
        }
    }

    private static boolean hasIpv6Loopback() throws IOException {
        return NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .anyMatch(address -> !(address instanceof Inet4Address) && address.isLoopbackAddress());
    }

    @Test
    void portAndAddressesChangeWhileTheServerRuns() throws IOException {
        try (RunningServer heddle = HeddleServer.start();
                RawClient client = heddle.connect();
                ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String inUse = Integer.toString(taken.getLocalPort());
            assertThat(client.call("CONFIG", "SET", "port", inUse).text()).isEqualTo(UNABLE.formatted("port"));
            assertThat(client.call("CONFIG", "GET", "port").texts())
                    .containsExactly("port", Integer.toString(heddle.port()));
            ping("127.0.0.1", heddle.port());

            int other = RunningServer.freePort();
            assertThat(client.call("CONFIG", "SET", "port", Integer.toString(other))
                            .text())
                    .isEqualTo("OK");
            ping("127.0.0.1", other);
            assertThatThrownBy(heddle::connect).isInstanceOf(UncheckedIOException.class);
            assertThat(client.call("PING").text()).isEqualTo("PONG");

            assertThat(client.call("CONFIG", "SET", "bind", "127.0.0.1 127.0.0.2")
                            .text())
                    .isEqualTo("OK");
            ping("127.0.0.2", other);
            ping("127.0.0.1", other);
            assertThat(client.call("CONFIG", "SET", "bind", "192.0.2.1").text()).isEqualTo(UNABLE.formatted("bind"));
            ping("127.0.0.2", other);
            assertThat(client.call("CONFIG", "SET", "bind", "127.0.0.2").text()).isEqualTo("OK");
            ping("127.0.0.2", other);
            assertThatThrownBy(() -> ping("127.0.0.1", other)).isInstanceOf(UncheckedIOException.class);
            assertThat(List.of(client.call("PING").text())).containsExactly("PONG");
        }
    }

    private static void ping(String host, int port) {
        try (RawClient client = RawClient.connect(new InetSocketAddress(host, port), 0)) {
            assertThat(client.call("PING").text()).isEqualTo("PONG");
        }
    }
}
