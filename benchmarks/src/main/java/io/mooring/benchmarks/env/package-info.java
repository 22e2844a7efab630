/** The machine: GPUs, links, NUMA nodes, versions. */
package io.mooring.benchmarks.env;
