/** {@code ./benchmarks/run transfer}: copies between host memory of several kinds and a GPU. */
package io.mooring.benchmarks.transfer;
