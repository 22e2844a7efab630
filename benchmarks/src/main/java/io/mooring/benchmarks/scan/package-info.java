/** {@code ./benchmarks/run scan}: Parquet queries under several configurations. */
package io.mooring.benchmarks.scan;
