/**
 * Micro-benchmarks (JMH) of the structures and paths that the design rests on, and side-by-side runs against other
 * servers. Not part of the distribution.
 */
@NullMarked
package dev.heddle.bench;

import org.jspecify.annotations.NullMarked;
