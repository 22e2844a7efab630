/** Footers of files: read, kept with the page indexes that were read since, and written again. */
@NullMarked
package io.mooring.parquet.footer;

import org.jspecify.annotations.NullMarked;
