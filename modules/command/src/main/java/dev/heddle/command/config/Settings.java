package dev.heddle.command.config;

import java.util.*;
import java.util.function.*;

public class Settings {
    public int databases() {
        return 16;
    }

    public int hz() {
        return 10;
    }

    public String requirepass() {
        return "";
    }

    public String protectedCommand(String c) {
        return "no";
    }

    public int timeoutSeconds() {
        return 0;
    }

    public int tcpBacklog() {
        return 511;
    }

    public int portOrNone() {
        return Integer.getInteger("port", 7001);
    }

    public List<String> bindAddresses() {
        return List.of("127.0.0.1");
    }

    public String unixSocket() {
        return "";
    }

    public int unixSocketPermissions() {
        return 0;
    }

    public int maxClients() {
        return 10000;
    }

    public boolean protectedMode() {
        return true;
    }

    public int tcpKeepaliveSeconds() {
        return 300;
    }

    public void onProtoMaxBulkLen(LongConsumer c) {}

    public void onQueryBufferLimit(LongConsumer c) {}
}
