package io.mooring.parquet.prune;

import io.mooring.parquet.footer.Footer;
import io.mooring.parquet.footer.Footer.PageIndex;
import io.mooring.parquet.pageskip.PageLayout;
import io.mooring.parquet.source.ParquetFile;
import io.mooring.parquet.unit.ScanCounters;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.IdentityHashMap;
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
import org.apache.parquet.internal.column.columnindex.ColumnIndex;
import org.apache.parquet.internal.column.columnindex.OffsetIndex;
import org.apache.parquet.internal.filter2.columnindex.ColumnIndexFilter;
import org.apache.parquet.internal.filter2.columnindex.ColumnIndexStore;
import org.apache.parquet.internal.filter2.columnindex.RowRanges;
import org.apache.parquet.internal.hadoop.metadata.IndexReference;
import org.jspecify.annotations.Nullable;

/**
 * The rows of row groups that may satisfy a predicate, by the page indexes of its columns.
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
    this.columns = ReferencedColumns.of(predicate).collect(Collectors.toSet());
  }

  /**
   * The row ranges by row group; row groups whose indexes rule out nothing have no entry.
   *
   * @throws IOException when the indexes cannot be read or are damaged
   */
  Map<Integer, RowRanges> rows(List<Integer> rowGroups, Configuration conf, ScanCounters counters)
      throws IOException {
    List<Integer> telling = rowGroups.stream().filter(this::canTell).toList();
    Map<ColumnChunkMetaData, PageIndex> indexes = indexes(telling, conf, counters);
    Map<Integer, RowRanges> rows = new HashMap<>();
    for (int rowGroup : telling) {
      rows.put(rowGroup, rows(rowGroup, indexes));
    }
    return rows;
  }

  /** The page indexes, from the cache or from the file. */
  private Map<ColumnChunkMetaData, PageIndex> indexes(
      List<Integer> rowGroups, Configuration conf, ScanCounters counters) throws IOException {
    Map<ColumnChunkMetaData, PageIndex> indexes = new IdentityHashMap<>();
    Map<ColumnChunkMetaData, Long> missing = new IdentityHashMap<>();
    for (int rowGroup : rowGroups) {
      for (ColumnChunkMetaData chunk : ofPredicate(rowGroup)) {
        PageIndex cached = footer.pageIndexes().get(chunk);
        if (cached != null) {
          indexes.put(chunk, cached);
        } else if (hasIndexes(chunk)) {
          missing.put(chunk, footer.rowGroups().get(rowGroup).getRowCount());
        }
      }
    }
    if (!missing.isEmpty()) {
      PageIndexReader bytes =
          PageIndexReader.read(file, references(missing.keySet()), conf, counters);
      for (var entry : missing.entrySet()) {
        PageIndex index = bytes.index(entry.getKey(), entry.getValue());
        footer.pageIndexes().put(entry.getKey(), index);
        indexes.put(entry.getKey(), index);
      }
    }
    return indexes;
  }

  private RowRanges rows(int rowGroup, Map<ColumnChunkMetaData, PageIndex> indexes) {
    BlockMetaData block = footer.rowGroups().get(rowGroup);
    Map<ColumnPath, PageIndex> known = new HashMap<>();
    for (ColumnChunkMetaData chunk : ofPredicate(rowGroup)) {
      PageIndex index = indexes.get(chunk);
      if (index != null) {
        known.put(chunk.getPath(), index);
      }
    }
    Set<ColumnPath> all =
        block.getColumns().stream().map(ColumnChunkMetaData::getPath).collect(Collectors.toSet());
    return ColumnIndexFilter.calculateRowRanges(
        FilterCompat.get(predicate), new IndexStore(known), all, block.getRowCount());
  }

  private boolean canTell(int rowGroup) {
    return ofPredicate(rowGroup).stream()
        .anyMatch(chunk -> hasIndexes(chunk) && PageLayout.hasSeveralPages(chunk));
  }

  private List<ColumnChunkMetaData> ofPredicate(int rowGroup) {
    return footer.rowGroups().get(rowGroup).getColumns().stream()
        .filter(chunk -> columns.contains(chunk.getPath()))
        .toList();
  }

  private static boolean hasIndexes(ColumnChunkMetaData chunk) {
    return chunk.getColumnIndexReference() != null && chunk.getOffsetIndexReference() != null;
  }

  private static List<IndexReference> references(Collection<ColumnChunkMetaData> chunks) {
    List<IndexReference> references = new ArrayList<>();
    for (ColumnChunkMetaData chunk : chunks) {
      references.add(chunk.getColumnIndexReference());
      references.add(chunk.getOffsetIndexReference());
    }
    return references;
  }

  /** The page indexes of a row group in the form that parquet-mr asks for. */
  private record IndexStore(Map<ColumnPath, PageIndex> indexes) implements ColumnIndexStore {
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
}
