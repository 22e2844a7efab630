package io.mooring.parquet.footer;

import io.mooring.parquet.source.FileBytes;
import io.mooring.parquet.source.ParquetFile;
import io.mooring.parquet.source.RequestCounts;
import io.mooring.parquet.thrift.ThriftCheck;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.Util;
import org.apache.parquet.format.converter.ParquetMetadataConverter;

/** Reads and parses footers. Damaged footers are for Spark's reader to refuse. */
final class FooterReader {
  private static final byte[] MAGIC = "PAR1".getBytes(StandardCharsets.US_ASCII);
  private static final int TRAILER_BYTES = Integer.BYTES + MAGIC.length;
  // Most footers are smaller, so that one read is enough.
  private static final int FIRST_READ_BYTES = 64 << 10;
  // Reading this many bytes from a store takes less time than a second request.
  private static final int MOST_GUESSED_BYTES = 4 << 20;
  // The size of the last footer, as a guess for the next file of a table.
  private static volatile int lastBytes;

  private FooterReader() {}

  /**
   * Reads the footer of a file; from a store by one request, where it is about as large as the
   * footer read before.
   *
   * @param whole whether to read and hold all of a small file in a store
   * @throws IOException when the file cannot be read
   * @throws UnreadableOnGpuException when the file is not Parquet, is damaged, or is encrypted
   */
  static Footer read(ParquetFile file, Configuration conf, RequestCounts counts, boolean whole)
      throws IOException, UnreadableOnGpuException {
    if (file.length() < MAGIC.length + TRAILER_BYTES) {
      throw new UnreadableOnGpuException("the file is too short to be Parquet");
    }
    byte[] all = whole ? FileBytes.whole(file, conf, counts) : null;
    return parse(all == null ? readThrift(file, conf, counts) : thrift(all, counts));
  }

  /**
   * Reads a small file in a store whole, though its footer is known: page indexes and data then
   * take no request.
   *
   * @param known the footer that was read before
   * @return the footer of the bytes that are held; {@code known} where nothing was read
   * @throws IOException when the file cannot be read
   * @throws UnreadableOnGpuException when the file is not what it was and cannot be read here
   */
  static Footer readWhole(ParquetFile file, Footer known, Configuration conf, RequestCounts counts)
      throws IOException, UnreadableOnGpuException {
    byte[] all = FileBytes.whole(file, conf, counts);
    if (all == null) {
      return known;
    }
    byte[] thrift = thrift(all, counts);
    return Arrays.equals(thrift, known.thrift()) ? known.withoutPageIndexes() : parse(thrift);
  }

  private static byte[] readThrift(ParquetFile file, Configuration conf, RequestCounts counts)
      throws IOException, UnreadableOnGpuException {
    try (FileBytes in = FileBytes.open(file, conf, counts)) {
      byte[] tail = tail(in, file.length());
      int footerBytes = footerBytes(tail, file.length());
      if (in.byRequests()) {
        lastBytes = footerBytes + TRAILER_BYTES;
        counts.needed(lastBytes);
      }
      int end = tail.length - TRAILER_BYTES;
      return footerBytes <= end
          ? Arrays.copyOfRange(tail, end - footerBytes, end)
          : in.read(file.length() - TRAILER_BYTES - footerBytes, footerBytes);
    }
  }

  /** The Thrift bytes of the footer in all bytes of a file. */
  private static byte[] thrift(byte[] all, RequestCounts counts) throws UnreadableOnGpuException {
    int footerBytes = footerBytes(all, all.length);
    counts.needed(footerBytes + TRAILER_BYTES);
    int end = all.length - TRAILER_BYTES;
    return Arrays.copyOfRange(all, end - footerBytes, end);
  }

  private static byte[] tail(FileBytes in, long fileLength) throws IOException {
    int first = in.byRequests() ? guess() : FIRST_READ_BYTES;
    int read = (int) Math.min(fileLength, first);
    return in.read(fileLength - read, read);
  }

  private static int guess() {
    int last = lastBytes;
    // Footers of a table differ by the lengths of their statistics.
    return Math.max(FIRST_READ_BYTES, Math.min(MOST_GUESSED_BYTES, last + last / 4));
  }

  private static int footerBytes(byte[] tail, long fileLength) throws UnreadableOnGpuException {
    byte[] magic = Arrays.copyOfRange(tail, tail.length - MAGIC.length, tail.length);
    if (!Arrays.equals(magic, MAGIC)) {
      throw new UnreadableOnGpuException("the file does not end as an unencrypted Parquet file");
    }
    int bytes =
        ByteBuffer.wrap(tail, tail.length - TRAILER_BYTES, Integer.BYTES)
            .order(ByteOrder.LITTLE_ENDIAN)
            .getInt();
    // Checked before anything is allocated: the length comes from the file.
    if (bytes <= 0 || bytes > fileLength - TRAILER_BYTES - MAGIC.length) {
      throw new UnreadableOnGpuException("the footer's length does not fit the file");
    }
    return bytes;
  }

  private static Footer parse(byte[] thrift) throws UnreadableOnGpuException {
    try {
      ThriftCheck.check(thrift);
      FileMetaData file = Util.readFileMetaData(new ByteArrayInputStream(thrift));
      SchemaDepthCheck.check(file.getSchema());
      long[] middles = RowGroups.middles(file);
      return new Footer(thrift, new ParquetMetadataConverter().fromParquetMetadata(file), middles);
    } catch (IOException | RuntimeException e) {
      throw new UnreadableOnGpuException("the footer cannot be parsed", e);
    }
  }

  /** Bounds how deep the groups of a schema nest: parsers recurse once a level, native ones too. */
  static final class SchemaDepthCheck {
    // A list takes two levels and a map two; nobody nests fifty of them.
    private static final int MOST = 100;

    private SchemaDepthCheck() {}

    /**
     * Accepts schemas that can be walked recursively.
     *
     * @param schema the elements in depth-first order, as a footer has them
     */
    static void check(List<SchemaElement> schema) throws IOException {
      int[] childrenToCome = new int[MOST + 1];
      int depth = 0;
      for (SchemaElement element : schema) {
        while (depth > 0 && childrenToCome[depth] == 0) {
          depth--;
        }
        childrenToCome[depth]--;
        if (element.getNum_children() > 0) {
          if (depth == MOST) {
            throw new IOException("The schema has more than " + MOST + " levels");
          }
          childrenToCome[++depth] = element.getNum_children();
        }
      }
    }
  }
}
