package io.mooring.parquet.prune;

import io.mooring.parquet.footer.Footer;
import io.mooring.parquet.source.FileBytes;
import io.mooring.parquet.source.ParquetFile;
import io.mooring.parquet.source.RequestCounts;
import io.mooring.parquet.thrift.ThriftCheck;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.filter2.bloomfilterlevel.BloomFilterImpl;
import org.apache.parquet.filter2.predicate.FilterPredicate;
import org.apache.parquet.format.BloomFilterHeader;
import org.apache.parquet.format.Util;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.metadata.ColumnPath;

/**
 * Rules out row groups by the Bloom filters of their column chunks. The file is opened only where a
 * chunk has one.
 */
final class BloomFilterPruner {
  // The header takes a few dozen bytes.
  private static final int HEADER_BYTES = 256;

  private final ParquetFile file;
  private final Footer footer;
  private final FilterPredicate predicate;
  private final Configuration conf;
  private final RequestCounts counts;
  private final Set<ColumnPath> columns;

  /**
   * @param predicate of {@link EqualityConjuncts}
   */
  BloomFilterPruner(
      ParquetFile file,
      Footer footer,
      FilterPredicate predicate,
      Configuration conf,
      RequestCounts counts) {
    this.file = file;
    this.footer = footer;
    this.predicate = predicate;
    this.conf = conf;
    this.counts = counts;
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
    try (FileBytes headers = FileBytes.openUnchanged(file, conf, counts);
        ParquetFileReader reader = open()) {
      for (int index : rowGroups) {
        List<ColumnChunkMetaData> filtered = filtered(index);
        if (filtered.isEmpty() || !fit(filtered, headers) || !canDrop(index, reader)) {
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

  /** Checks the sizes by which parquet-mr allocates memory before it reads. */
  private boolean fit(List<ColumnChunkMetaData> chunks, FileBytes headers) throws IOException {
    for (ColumnChunkMetaData chunk : chunks) {
      long start = chunk.getBloomFilterOffset();
      if (start >= file.length()) {
        throw new IOException("A Bloom filter lies outside the file");
      }
      byte[] bytes = headers.read(start, (int) Math.min(HEADER_BYTES, file.length() - start));
      ThriftCheck.check(bytes);
      BloomFilterHeader header = Util.readBloomFilterHeader(new ByteArrayInputStream(bytes));
      if (header.getNumBytes() < 0 || header.getNumBytes() > file.length() - start) {
        return false;
      }
    }
    return true;
  }

  private boolean canDrop(int rowGroup, ParquetFileReader reader) {
    BlockMetaData block = footer.rowGroups().get(rowGroup);
    return BloomFilterImpl.canDrop(
        predicate, block.getColumns(), reader.getBloomFilterDataReader(block));
  }

  /** By the only constructor with a footer that parquet-mr has had since Spark 3.5. */
  @SuppressWarnings("deprecation")
  private ParquetFileReader open() throws IOException {
    return new ParquetFileReader(conf, file.hadoopPath(), footer.metadata());
  }
}
