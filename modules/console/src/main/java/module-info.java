/** HTTP: the web console, its JSON interface, metrics, health. */
module dev.heddle.console {
    requires transitive dev.heddle.command;
    requires com.google.gson;
    requires java.management;
    requires jdk.httpserver;
    requires org.slf4j;
    requires static org.jspecify;

    exports dev.heddle.console;
}
