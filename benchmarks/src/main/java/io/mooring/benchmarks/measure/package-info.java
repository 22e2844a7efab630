/** A measuring command from its first row to its report. */
package io.mooring.benchmarks.measure;
