/** Databases, lock stripes and value types. Of the protocol module it uses the conversion between numbers and bytes, nothing else. */
module dev.heddle.store {
    requires transitive dev.heddle.resp;
    requires static org.jspecify;

    exports dev.heddle.store;
    exports dev.heddle.store.base;
    exports dev.heddle.store.value;
}
