/** The harness's end of a JVM with Spark. */
package io.mooring.benchmarks.worker;
