package io.mooring.parquet;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.filter2.compat.FilterCompat;
import org.apache.parquet.filter2.predicate.FilterPredicate;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.metadata.ColumnPath;
import org.apache.parquet.internal.filter2.columnindex.ColumnIndexFilter;
import org.apache.parquet.internal.filter2.columnindex.RowRanges;
import org.apache.parquet.internal.hadoop.metadata.IndexReference;

/**
 * Which rows of row groups a predicate may be true of, by the page indexes of its columns.
 * parquet-mr decides, as for Spark's reader.
 */
final class PageIndexFilter {
  private final ParquetFile file;
  private final Footer footer;
  private final FilterPredicate predicate;
  private final Set<ColumnPath> columns;

  /**
   * @param predicate without {@code Not}
   */
  PageIndexFilter(ParquetFile file, Footer footer, FilterPredicate predicate) {
    this.file = file;
    this.footer = footer;
    this.predicate = predicate;
    this.columns = PredicateColumns.of(predicate).collect(Collectors.toSet());
  }

  /**
   * The rows of those row groups of which the indexes can say something; none for the others.
   *
   * @throws IOException when the indexes cannot be read or are damaged
   */
  Map<Integer, RowRanges> rows(List<Integer> rowGroups, Configuration conf, ScanCounters counters)
      throws IOException {
    List<Integer> telling = rowGroups.stream().filter(this::canTell).toList();
    Map<Integer, RowRanges> rows = new HashMap<>();
    if (!telling.isEmpty()) {
      PageIndexBytes bytes = PageIndexBytes.read(file, references(telling), conf, counters);
      for (int rowGroup : telling) {
        rows.put(rowGroup, rows(rowGroup, bytes));
      }
    }
    return rows;
  }

  private RowRanges rows(int rowGroup, PageIndexBytes bytes) throws IOException {
    BlockMetaData block = footer.rowGroups().get(rowGroup);
    Map<ColumnPath, ChunkIndex> indexes = new HashMap<>();
    for (ColumnChunkMetaData chunk : ofPredicate(rowGroup)) {
      if (hasIndexes(chunk)) {
        indexes.put(chunk.getPath(), ChunkIndex.of(chunk, bytes, block.getRowCount()));
      }
    }
    Set<ColumnPath> all =
        block.getColumns().stream().map(ColumnChunkMetaData::getPath).collect(Collectors.toSet());
    return ColumnIndexFilter.calculateRowRanges(
        FilterCompat.get(predicate), new ChunkIndexes(indexes), all, block.getRowCount());
  }

  private boolean canTell(int rowGroup) {
    return ofPredicate(rowGroup).stream()
        .anyMatch(chunk -> hasIndexes(chunk) && ChunkPages.areMany(chunk));
  }

  private List<ColumnChunkMetaData> ofPredicate(int rowGroup) {
    return footer.rowGroups().get(rowGroup).getColumns().stream()
        .filter(chunk -> columns.contains(chunk.getPath()))
        .toList();
  }

  private static boolean hasIndexes(ColumnChunkMetaData chunk) {
    return chunk.getColumnIndexReference() != null && chunk.getOffsetIndexReference() != null;
  }

  private List<IndexReference> references(List<Integer> rowGroups) {
    List<IndexReference> references = new ArrayList<>();
    for (int rowGroup : rowGroups) {
      for (ColumnChunkMetaData chunk : ofPredicate(rowGroup)) {
        if (hasIndexes(chunk)) {
          references.add(chunk.getColumnIndexReference());
          references.add(chunk.getOffsetIndexReference());
        }
      }
    }
    return references;
  }
}
