/** {@code ./benchmarks/run pool}: the pool against other allocators of host memory. */
package io.mooring.benchmarks.pool;
