package io.mooring.parquet.prune;

import io.mooring.parquet.footer.Footer;
import io.mooring.parquet.source.FileBytes;
import io.mooring.parquet.source.UnchangedFile;
import io.mooring.parquet.thrift.ThriftCheck;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.zip.CRC32;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.EncodingStats;
import org.apache.parquet.column.page.DictionaryPage;
import org.apache.parquet.compression.CompressionCodecFactory;
import org.apache.parquet.format.DictionaryPageHeader;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.Util;
import org.apache.parquet.hadoop.CodecFactory;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.jspecify.annotations.Nullable;

/**
 * The dictionary pages of a file, each read with its header at once. The file is opened for the
 * first. Belongs to one thread.
 */
final class DictionaryPages implements AutoCloseable {
  // A header takes a few dozen bytes.
  private static final int HEADER_BYTES = 256;
  // Writers stop a dictionary at about 1 MiB; a larger one costs more than it saves.
  private static final int MOST_BYTES = 8 << 20;

  private final UnchangedFile file;
  private final Footer footer;
  private final Configuration conf;
  private @Nullable FileBytes in;
  private @Nullable CompressionCodecFactory codecs;

  DictionaryPages(UnchangedFile file, Footer footer, Configuration conf) {
    this.file = file;
    this.footer = footer;
    this.conf = conf;
  }

  /** Whether every page of a chunk refers to its dictionary. */
  static boolean areAllOf(ColumnChunkMetaData chunk) {
    EncodingStats pages = chunk.getEncodingStats();
    return pages != null
        && pages.hasDictionaryEncodedPages()
        && !pages.hasNonDictionaryEncodedPages();
  }

  /** The bytes of a chunk's dictionary page in the file, header included; 0 where unknown. */
  static long bytes(ColumnChunkMetaData chunk) {
    return Math.max(0, chunk.getFirstDataPageOffset() - chunk.getStartingPos());
  }

  /**
   * The number of entries of a dictionary that has been read before with this cached footer; -1 for
   * others. From it, a later query tells whether reading the dictionary pays.
   */
  int knownEntries(ColumnChunkMetaData chunk) {
    return footer.dictionaryEntries().getOrDefault(chunk.getStartingPos(), -1);
  }

  /**
   * The dictionary of a chunk, uncompressed; null where the chunk begins with another page, or
   * sizes in the header are too large or do not fit each other.
   *
   * @throws IOException when the file cannot be read or is not the one of the footer any more, or
   *     when the page is damaged
   */
  @Nullable DictionaryPage read(ColumnChunkMetaData chunk) throws IOException {
    long start = chunk.getStartingPos();
    if (start < 0 || start >= file.file().length()) {
      throw new IOException("A dictionary lies outside the file");
    }
    byte[] bytes = bytes(start, Math.max(HEADER_BYTES, Math.min(MOST_BYTES, bytes(chunk))));
    ThriftCheck.check(bytes);
    var stream = new ByteArrayInputStream(bytes);
    PageHeader header = Util.readPageHeader(stream);
    int from = bytes.length - stream.available();
    DictionaryPageHeader dictionary = header.getDictionary_page_header();
    if (dictionary == null || !fits(header, dictionary, file.file().length() - start - from)) {
      return null;
    }
    footer.dictionaryEntries().put(start, dictionary.getNum_values());
    int size = header.getCompressed_page_size();
    if (size > bytes.length - from) {
      bytes = bytes(start + from, size);
      from = 0;
    }
    checkCrc(header, bytes, from);
    BytesInput values =
        codecs()
            .getDecompressor(chunk.getCodec())
            .decompress(BytesInput.from(bytes, from, size), header.getUncompressed_page_size());
    return new DictionaryPage(values, dictionary.getNum_values(), Encoding.PLAIN);
  }

  private static boolean fits(PageHeader header, DictionaryPageHeader dictionary, long most) {
    int bytes = header.getUncompressed_page_size();
    return fits(header.getCompressed_page_size(), Math.min(most, MOST_BYTES))
        && fits(bytes, MOST_BYTES)
        // No value is stored in less than a byte.
        && fits(dictionary.getNum_values(), bytes);
  }

  private static boolean fits(int size, long most) {
    return size >= 0 && size <= most;
  }

  private static void checkCrc(PageHeader header, byte[] bytes, int from) throws IOException {
    if (header.isSetCrc()) {
      CRC32 crc = new CRC32();
      crc.update(bytes, from, header.getCompressed_page_size());
      if ((int) crc.getValue() != header.getCrc()) {
        throw new IOException("A dictionary does not fit its checksum");
      }
    }
  }

  private byte[] bytes(long start, long most) throws IOException {
    if (in == null) {
      in = file.open();
    }
    return in.read(start, (int) Math.min(most, file.file().length() - start));
  }

  /** Called through the interface: the class's methods differ between versions of parquet-mr. */
  private CompressionCodecFactory codecs() {
    if (codecs == null) {
      codecs = new CodecFactory(conf, 0);
    }
    return codecs;
  }

  @Override
  public void close() {
    if (in != null) {
      in.close();
    }
    if (codecs != null) {
      codecs.release();
    }
  }
}
