package dev.heddle.bench;

import java.io.IOException;
import org.openjdk.jmh.Main;

/** Runs the benchmarks of this module; the arguments are JMH's own ({@code -h} lists them). */
final class Benchmarks {

    private Benchmarks() {}

    /** Hands over to JMH. */
    public static void main(String[] args) throws IOException {
        Main.main(args);
    }
}
