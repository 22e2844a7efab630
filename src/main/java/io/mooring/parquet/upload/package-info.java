/** Reads and verifies the bytes of units in pieces, and copies them to the device. */
@NullMarked
package io.mooring.parquet.upload;

import org.jspecify.annotations.NullMarked;
