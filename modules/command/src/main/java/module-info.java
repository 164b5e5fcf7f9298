/** The command table, the dispatcher and the commands. */
module dev.heddle.command {
    requires transitive dev.heddle.resp;
    requires transitive dev.heddle.store;
    requires java.management;
    requires jdk.jfr;
    requires jdk.management;
    requires org.slf4j;
    requires static org.jspecify;

    exports dev.heddle.command;
    exports dev.heddle.command.catalog;
    exports dev.heddle.command.config;
}
