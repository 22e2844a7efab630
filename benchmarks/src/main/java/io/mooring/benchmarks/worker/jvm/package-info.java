/** Everything that runs in a worker's JVM. */
package io.mooring.benchmarks.worker.jvm;
