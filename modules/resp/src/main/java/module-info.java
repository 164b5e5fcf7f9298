/** The RESP codec. Imports no other module of Heddle. */
module dev.heddle.resp {
    requires static transitive org.jspecify;

    exports dev.heddle.resp;
}
