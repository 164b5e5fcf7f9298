/** The server program: configuration and wiring. */
module dev.heddle.app {
    requires dev.heddle.command;
    requires dev.heddle.console;
    requires dev.heddle.persistence;
    requires dev.heddle.server;
    requires org.slf4j;
    requires org.tinylog.api;
    requires org.tinylog.impl;
    requires static org.jspecify;

    provides org.tinylog.provider.LoggingProvider with
            dev.heddle.app.SwitchableLog;
}
