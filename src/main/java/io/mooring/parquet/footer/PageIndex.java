package io.mooring.parquet.footer;

import org.apache.parquet.internal.column.columnindex.ColumnIndex;
import org.apache.parquet.internal.column.columnindex.OffsetIndex;
import org.jspecify.annotations.Nullable;

/**
 * Both indexes of a column chunk's pages.
 *
 * @param columnIndex null when the pages' values cannot be compared
 */
public record PageIndex(@Nullable ColumnIndex columnIndex, OffsetIndex offsetIndex) {}
