/**
 * Column chunks with skipped pages: pages that no row is wanted of are not read, and
 * placeholder pages keep the row count.
 */
@NullMarked
package io.mooring.parquet.pageskip;

import org.jspecify.annotations.NullMarked;
