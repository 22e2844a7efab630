/**
 * Plans Parquet: which row groups are read, uploaded and decoded as one. The packages below know
 * buffers and the GPU, none of them Spark.
 */
@NullMarked
package io.mooring.parquet;

import org.jspecify.annotations.NullMarked;
