package io.mooring.parquet.prune;

import io.mooring.parquet.footer.Footer;
import io.mooring.parquet.source.FileBytes;
import io.mooring.parquet.source.UnchangedFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.parquet.column.values.bloomfilter.BloomFilter;
import org.apache.parquet.filter2.bloomfilterlevel.BloomFilterImpl;
import org.apache.parquet.filter2.predicate.FilterPredicate;
import org.apache.parquet.hadoop.BloomFilterReader;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.metadata.ColumnPath;
import org.jspecify.annotations.Nullable;

/**
 * Rules out row groups by the Bloom filters of their column chunks. The file is opened only where a
 * chunk has one. Belongs to one thread.
 */
final class BloomFilterPruner {
  private final UnchangedFile file;
  private final Footer footer;
  private final FilterPredicate predicate;
  private final Set<ColumnPath> columns;

  /**
   * @param predicate of {@link EqualityConjuncts}
   */
  BloomFilterPruner(UnchangedFile file, Footer footer, FilterPredicate predicate) {
    this.file = file;
    this.footer = footer;
    this.predicate = predicate;
    this.columns = ReferencedColumns.of(predicate).collect(Collectors.toSet());
  }

  /**
   * The row groups out of {@code rowGroups} that have to be read.
   *
   * @throws IOException when the file cannot be read, or is not the one of the footer any more
   */
  List<Integer> remaining(List<Integer> rowGroups) throws IOException {
    if (rowGroups.stream().allMatch(index -> filtered(index).isEmpty())) {
      return rowGroups;
    }
    List<Integer> remaining = new ArrayList<>();
    // The values of another file would rule out row groups of this one.
    try (FileBytes in = file.open()) {
      BloomFilters filters = new BloomFilters(in, file.file().length(), footer);
      for (int index : rowGroups) {
        List<ColumnChunkMetaData> filtered = filtered(index);
        if (filtered.isEmpty() || !canDrop(index, read(index, filtered, filters))) {
          remaining.add(index);
        }
      }
    }
    return remaining;
  }

  /** The chunks of the predicate's columns that have a Bloom filter. */
  private List<ColumnChunkMetaData> filtered(int rowGroup) {
    return footer.rowGroups().get(rowGroup).getColumns().stream()
        .filter(chunk -> chunk.getBloomFilterOffset() >= 0 && columns.contains(chunk.getPath()))
        .toList();
  }

  private static Map<ColumnPath, BloomFilter> read(
      int rowGroup, List<ColumnChunkMetaData> chunks, BloomFilters filters) throws IOException {
    Map<ColumnPath, BloomFilter> read = new HashMap<>();
    for (ColumnChunkMetaData chunk : chunks) {
      BloomFilter filter = filters.read(rowGroup, chunk);
      if (filter != null) {
        read.put(chunk.getPath(), filter);
      }
    }
    return read;
  }

  private boolean canDrop(int rowGroup, Map<ColumnPath, BloomFilter> filters) {
    BlockMetaData block = footer.rowGroups().get(rowGroup);
    return BloomFilterImpl.canDrop(predicate, block.getColumns(), new ReadFilters(block, filters));
  }

  /** Gives parquet-mr filters that have been read. */
  private static final class ReadFilters extends BloomFilterReader {
    private final Map<ColumnPath, BloomFilter> filters;

    @SuppressWarnings("NullAway") // parquet-mr's reader of a file is not used
    ReadFilters(BlockMetaData block, Map<ColumnPath, BloomFilter> filters) {
      super(null, block);
      this.filters = filters;
    }

    @Override
    public @Nullable BloomFilter readBloomFilter(ColumnChunkMetaData chunk) {
      return filters.get(chunk.getPath());
    }
  }
}
