/** {@code ./benchmarks/run numa}: each NUMA node's memory to each GPU. */
package io.mooring.benchmarks.numa;
