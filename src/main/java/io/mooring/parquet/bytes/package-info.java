/** Stretches of files, and the protocol in which Parquet writes what it says of itself. */
@NullMarked
package io.mooring.parquet.bytes;

import org.jspecify.annotations.NullMarked;
