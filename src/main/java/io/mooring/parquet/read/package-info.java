/** Units on their way to the GPU: admission, read-ahead, upload, decoding. */
@NullMarked
package io.mooring.parquet.read;

import org.jspecify.annotations.NullMarked;
