package io.mooring.parquet.prune;

import io.mooring.parquet.footer.PageIndex;
import java.util.Map;
import org.apache.parquet.hadoop.metadata.ColumnPath;
import org.apache.parquet.internal.column.columnindex.ColumnIndex;
import org.apache.parquet.internal.column.columnindex.OffsetIndex;
import org.apache.parquet.internal.filter2.columnindex.ColumnIndexStore;
import org.jspecify.annotations.Nullable;

/** The indexes of a row group's columns in the form in which parquet-mr asks for them. */
record ChunkIndexes(Map<ColumnPath, PageIndex> indexes) implements ColumnIndexStore {
  @Override
  public @Nullable ColumnIndex getColumnIndex(ColumnPath column) {
    PageIndex index = indexes.get(column);
    return index == null ? null : index.columnIndex();
  }

  @Override
  public OffsetIndex getOffsetIndex(ColumnPath column) {
    PageIndex index = indexes.get(column);
    if (index == null) {
      throw new MissingOffsetIndexException(column);
    }
    return index.offsetIndex();
  }
}
