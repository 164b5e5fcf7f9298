/** Listeners and the connection loop. */
module dev.heddle.server {
    requires transitive dev.heddle.command;
    requires jdk.net;
    requires org.slf4j;
    requires static org.jspecify;

    exports dev.heddle.server;
}
