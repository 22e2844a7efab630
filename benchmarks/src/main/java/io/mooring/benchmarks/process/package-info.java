/** Processes that measure, and the line protocol to them. */
package io.mooring.benchmarks.process;
