/**
 * Units: what of a file, or of several, is read, uploaded and decoded as one. The packages below
 * know buffers and the GPU, not Spark.
 */
@NullMarked
package io.mooring.parquet;

import org.jspecify.annotations.NullMarked;
