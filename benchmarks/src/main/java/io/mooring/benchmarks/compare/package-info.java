/** {@code ./benchmarks/run compare}: which queries of two sets of runs differ, and by how much. */
package io.mooring.benchmarks.compare;
