package io.mooring.parquet.prune;

import io.mooring.parquet.source.FileBytes;
import io.mooring.parquet.source.ParquetFile;
import io.mooring.parquet.source.RequestCounts;
import io.mooring.parquet.thrift.ThriftCheck;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.format.BloomFilterHeader;
import org.apache.parquet.format.DictionaryPageHeader;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.Util;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;

/**
 * Checks the sizes in headers of dictionaries and Bloom filters, by which parquet-mr allocates
 * memory before it reads. Belongs to one thread.
 */
final class ChunkHeaderCheck implements AutoCloseable {
  // Both kinds of header take a few dozen bytes.
  private static final int HEADER_BYTES = 256;
  // Writers stop a dictionary at about 1 MiB; a larger one costs more than it saves.
  private static final int MOST_DICTIONARY_BYTES = 8 << 20;

  private final ParquetFile file;
  private final FileBytes in;

  ChunkHeaderCheck(ParquetFile file, Configuration conf, RequestCounts counts) throws IOException {
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
