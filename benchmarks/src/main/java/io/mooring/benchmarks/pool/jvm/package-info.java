/** The Java half of {@code pool}: one allocator in a JVM of its own. */
package io.mooring.benchmarks.pool.jvm;
