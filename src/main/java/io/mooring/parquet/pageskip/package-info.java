/** Column chunks with skipped pages, in which placeholder pages keep the row count. */
@NullMarked
package io.mooring.parquet.pageskip;

import org.jspecify.annotations.NullMarked;
