/** Statistics: samples, tests, corrections. */
package io.mooring.benchmarks.stats;
