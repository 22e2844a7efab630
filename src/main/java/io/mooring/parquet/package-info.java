/** Plans, reads, uploads and decodes Parquet; knows buffers and the GPU, not Spark. */
@NullMarked
package io.mooring.parquet;

import org.jspecify.annotations.NullMarked;
