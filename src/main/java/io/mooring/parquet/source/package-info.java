/** Files as they were listed, and reads of their ranges into native memory. */
@NullMarked
package io.mooring.parquet.source;

import org.jspecify.annotations.NullMarked;
