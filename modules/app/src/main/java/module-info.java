/** The server program: configuration and wiring. */
module dev.heddle.app {
    requires dev.heddle.command;
    requires dev.heddle.persistence;
    requires dev.heddle.server;
    requires org.slf4j;
    requires static org.jspecify;
}
