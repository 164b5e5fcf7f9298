/** Databases, lock stripes and value types. Imports no other module of Heddle. */
module dev.heddle.store {
    requires static org.jspecify;
}
