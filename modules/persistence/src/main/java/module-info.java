/** The append-only file, snapshots and the RDB codec. */
module dev.heddle.persistence {
    requires transitive dev.heddle.command;
    requires jdk.jfr;
    requires org.slf4j;
    requires static org.jspecify;

    exports dev.heddle.persistence.aof;
    exports dev.heddle.persistence.rdb;
    exports dev.heddle.persistence.snapshot;
}
