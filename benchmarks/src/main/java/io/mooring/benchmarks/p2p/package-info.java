/** {@code ./benchmarks/run p2p}: copies between GPUs. */
package io.mooring.benchmarks.p2p;
