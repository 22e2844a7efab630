/** Makes tables of units whose bytes are on the device, by libcudf's readers. */
@NullMarked
package io.mooring.parquet.decode;

import org.jspecify.annotations.NullMarked;
