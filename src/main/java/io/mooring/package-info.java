/** Mooring: Parquet scans on the GPU for Apache Spark, fed from one pinned host pool. */
@NullMarked
package io.mooring;

import org.jspecify.annotations.NullMarked;
