/** {@code ./benchmarks/run overlap}: copying while the device computes. */
package io.mooring.benchmarks.overlap;
