/** Benchmarks; never published. */
module dev.heddle.bench {
    requires dev.heddle.server;
    requires jmh.core;
    requires static org.jspecify;
}
