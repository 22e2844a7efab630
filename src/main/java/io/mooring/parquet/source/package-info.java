/** Files as they were listed, and ways to read stretches of them into native memory. */
@NullMarked
package io.mooring.parquet.source;

import org.jspecify.annotations.NullMarked;
