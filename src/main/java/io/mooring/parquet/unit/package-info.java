/** Read units: what of a file, or of several, is read, uploaded and decoded as one. */
@NullMarked
package io.mooring.parquet.unit;

import org.jspecify.annotations.NullMarked;
