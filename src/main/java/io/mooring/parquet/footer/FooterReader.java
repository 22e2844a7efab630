package io.mooring.parquet.footer;

import io.mooring.parquet.bytes.CompactThrift;
import io.mooring.parquet.source.ParquetFile;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.Util;
import org.apache.parquet.format.converter.ParquetMetadataConverter;

/**
 * Reads and parses footers. A footer that is not what it says is left to Spark's reader to refuse.
 */
final class FooterReader {
  private static final byte[] MAGIC = "PAR1".getBytes(StandardCharsets.US_ASCII);
  private static final int TRAILER_BYTES = Integer.BYTES + MAGIC.length;
  // Most footers are smaller, so that one read is enough.
  private static final int FIRST_READ_BYTES = 64 << 10;

  private FooterReader() {}

  /**
   * Reads the footer of a file.
   *
   * @throws IOException when the file cannot be read
   * @throws UnreadableOnGpuException when the file is not Parquet, is damaged, or is encrypted
   */
  static Footer read(ParquetFile file, Configuration conf)
      throws IOException, UnreadableOnGpuException {
    if (file.length() < MAGIC.length + TRAILER_BYTES) {
      throw new UnreadableOnGpuException("the file is too short to be Parquet");
    }
    return parse(readThrift(file, conf));
  }

  private static byte[] readThrift(ParquetFile file, Configuration conf)
      throws IOException, UnreadableOnGpuException {
    FileSystem fs = file.hadoopPath().getFileSystem(conf);
    try (FSDataInputStream in = fs.open(file.hadoopPath())) {
      byte[] tail = new byte[(int) Math.min(file.length(), FIRST_READ_BYTES)];
      in.readFully(file.length() - tail.length, tail);
      int footerBytes = footerBytes(tail, file.length());
      int end = tail.length - TRAILER_BYTES;
      if (footerBytes <= end) {
        return Arrays.copyOfRange(tail, end - footerBytes, end);
      }
      byte[] thrift = new byte[footerBytes];
      in.readFully(file.length() - TRAILER_BYTES - footerBytes, thrift);
      return thrift;
    }
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
      CompactThrift.check(thrift);
      FileMetaData file = Util.readFileMetaData(new ByteArrayInputStream(thrift));
      SchemaDepth.check(file.getSchema());
      long[] middles = RowGroups.middles(file);
      return new Footer(thrift, new ParquetMetadataConverter().fromParquetMetadata(file), middles);
    } catch (IOException | RuntimeException e) {
      throw new UnreadableOnGpuException("the footer cannot be parsed", e);
    }
  }
}
