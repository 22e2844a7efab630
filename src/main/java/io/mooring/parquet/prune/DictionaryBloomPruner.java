package io.mooring.parquet.prune;

import io.mooring.parquet.footer.Footer;
import io.mooring.parquet.source.FileBytes;
import io.mooring.parquet.source.ParquetFile;
import io.mooring.parquet.source.RequestCounts;
import io.mooring.parquet.thrift.ThriftCheck;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.column.EncodingStats;
import org.apache.parquet.filter2.bloomfilterlevel.BloomFilterImpl;
import org.apache.parquet.filter2.predicate.FilterPredicate;
import org.apache.parquet.format.BloomFilterHeader;
import org.apache.parquet.format.DictionaryPageHeader;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.Util;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.ParquetInputFormat;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.metadata.ColumnPath;

/**
 * Rules out row groups by the dictionaries and Bloom filters of their column chunks. The file is
 * opened only where a chunk has either.
 */
final class DictionaryBloomPruner {
  private final ParquetFile file;
  private final Footer footer;
  private final FilterPredicate predicate;
  private final Configuration conf;
  private final RequestCounts counts;
  private final Set<ColumnPath> columns;
  private final boolean dictionaries;
  private final boolean blooms;

  /**
   * @param predicate of {@link EqualityConjuncts}
   */
  DictionaryBloomPruner(
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
    this.dictionaries = conf.getBoolean(ParquetInputFormat.DICTIONARY_FILTERING_ENABLED, true);
    this.blooms = conf.getBoolean(ParquetInputFormat.BLOOM_FILTERING_ENABLED, true);
    this.columns = ReferencedColumns.of(predicate).collect(Collectors.toSet());
  }

  /**
   * The row groups out of {@code rowGroups} that have to be read.
   *
   * @throws IOException when the file cannot be read, or is not the one of the footer any more
   */
  List<Integer> remaining(List<Integer> rowGroups) throws IOException {
    if (rowGroups.stream().noneMatch(index -> canRuleOut(footer.rowGroups().get(index)))) {
      return rowGroups;
    }
    // The values of another file would rule out row groups of this one.
    file.statusIfUnchanged(file.hadoopPath().getFileSystem(conf));
    List<Integer> remaining = new ArrayList<>();
    try (ParquetFileReader reader = open();
        ChunkHeaderCheck headers = new ChunkHeaderCheck(file, conf, counts)) {
      for (int index : rowGroups) {
        BlockMetaData block = footer.rowGroups().get(index);
        if (!canRuleOut(block) || !fit(block, headers) || !canDrop(block, reader)) {
          remaining.add(index);
        }
      }
    }
    return remaining;
  }

  private boolean canRuleOut(BlockMetaData block) {
    return block.getColumns().stream()
        .filter(chunk -> columns.contains(chunk.getPath()))
        .anyMatch(chunk -> usesDictionary(chunk) || usesBloom(chunk));
  }

  private boolean usesDictionary(ColumnChunkMetaData chunk) {
    return dictionaries && isAllDictionary(chunk);
  }

  private boolean usesBloom(ColumnChunkMetaData chunk) {
    return blooms && chunk.getBloomFilterOffset() >= 0;
  }

  private boolean fit(BlockMetaData block, ChunkHeaderCheck headers) throws IOException {
    for (ColumnChunkMetaData chunk : block.getColumns()) {
      if (columns.contains(chunk.getPath())
          && ((usesDictionary(chunk) && !headers.dictionaryFits(chunk))
              || (usesBloom(chunk) && !headers.bloomFits(chunk)))) {
        return false;
      }
    }
    return true;
  }

  /** Whether every page of a chunk refers to its dictionary. */
  static boolean isAllDictionary(ColumnChunkMetaData chunk) {
    EncodingStats pages = chunk.getEncodingStats();
    return pages != null
        && pages.hasDictionaryEncodedPages()
        && !pages.hasNonDictionaryEncodedPages();
  }

  private boolean canDrop(BlockMetaData block, ParquetFileReader reader) throws IOException {
    return (dictionaries && dictionaryCheck(block, reader).canDrop(predicate))
        || (blooms
            && BloomFilterImpl.canDrop(
                predicate, block.getColumns(), reader.getBloomFilterDataReader(block)));
  }

  private DictionaryCheck dictionaryCheck(BlockMetaData block, ParquetFileReader reader) {
    Set<ColumnPath> allDictionary = new HashSet<>();
    for (ColumnChunkMetaData chunk : block.getColumns()) {
      if (isAllDictionary(chunk)) {
        allDictionary.add(chunk.getPath());
      }
    }
    return new DictionaryCheck(
        footer.schema(), reader.getDictionaryReader(block), allDictionary::contains);
  }

  /** By the only constructor with a footer that parquet-mr has had since Spark 3.5. */
  @SuppressWarnings("deprecation")
  private ParquetFileReader open() throws IOException {
    return new ParquetFileReader(conf, file.hadoopPath(), footer.metadata());
  }

  /**
   * Checks the sizes in headers of dictionaries and Bloom filters, by which parquet-mr allocates
   * memory before it reads. Belongs to one thread.
   */
  private static final class ChunkHeaderCheck implements AutoCloseable {
    // Both kinds of header take a few dozen bytes.
    private static final int HEADER_BYTES = 256;
    // Writers stop a dictionary at about 1 MiB; a larger one costs more than it saves.
    private static final int MOST_DICTIONARY_BYTES = 8 << 20;

    private final ParquetFile file;
    private final FileBytes in;

    ChunkHeaderCheck(ParquetFile file, Configuration conf, RequestCounts counts)
        throws IOException {
      this.file = file;
      this.in = FileBytes.openUnchanged(file, conf, counts);
    }

    /**
     * Whether the dictionary of a chunk may be read.
     *
     * @throws IOException when the file or the header cannot be read
     */
    boolean dictionaryFits(ColumnChunkMetaData chunk) throws IOException {
      long start = chunk.getStartingPos();
      PageHeader page = Util.readPageHeader(header(start));
      DictionaryPageHeader dictionary = page.getDictionary_page_header();
      int bytes = page.getUncompressed_page_size();
      return dictionary == null
          || (fits(page.getCompressed_page_size(), file.length() - start)
              && fits(bytes, MOST_DICTIONARY_BYTES)
              // No value is stored in less than a byte.
              && fits(dictionary.getNum_values(), bytes));
    }

    /** Whether the Bloom filter of a chunk may be read. */
    boolean bloomFits(ColumnChunkMetaData chunk) throws IOException {
      long start = chunk.getBloomFilterOffset();
      BloomFilterHeader bloom = Util.readBloomFilterHeader(header(start));
      return fits(bloom.getNumBytes(), file.length() - start);
    }

    private static boolean fits(int size, long most) {
      return size >= 0 && size <= most;
    }

    private ByteArrayInputStream header(long start) throws IOException {
      if (start < 0 || start >= file.length()) {
        throw new IOException("A header lies outside the file");
      }
      byte[] bytes = in.read(start, (int) Math.min(HEADER_BYTES, file.length() - start));
      ThriftCheck.check(bytes);
      return new ByteArrayInputStream(bytes);
    }

    @Override
    public void close() {
      in.close();
    }
  }
}
