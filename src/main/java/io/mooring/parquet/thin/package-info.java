/** Column chunks of which not all pages are read, and the pages that stand for the others. */
@NullMarked
package io.mooring.parquet.thin;

import org.jspecify.annotations.NullMarked;
