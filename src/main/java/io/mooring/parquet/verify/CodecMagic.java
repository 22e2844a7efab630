package io.mooring.parquet.verify;

import io.mooring.parquet.thrift.ThriftReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;

/**
 * Whether compressed bytes begin as their codec has them begin, as far as it has a rule: a footer
 * that names another codec has a decoder for one format loose on another. After RFC 1952 (gzip),
 * RFC 8878 (Zstandard) and Snappy's format_description.txt.
 */
final class CodecMagic {
  private static final int GZIP = 0x8b1f;
  private static final int ZSTD = 0xfd2fb528;

  private CodecMagic() {}

  /**
   * Looks at the beginning of a page's values.
   *
   * @param bytes what is there of the page, from behind its header
   */
  static boolean fits(CompressionCodecName codec, PageHeader page, ByteBuffer bytes) {
    int levels = page.definitionBytes() + page.repetitionBytes();
    int length = page.compressedBytes() - levels;
    if (!page.compressed() || length < Integer.BYTES || bytes.limit() - levels < Integer.BYTES) {
      return true;
    }
    ByteBuffer values = bytes.slice(levels, Math.min(length, bytes.limit() - levels));
    int mark = values.order(ByteOrder.LITTLE_ENDIAN).getInt(0);
    boolean isGzip = (mark & 0xffff) == GZIP;
    return switch (codec) {
      case GZIP -> isGzip;
      case ZSTD -> mark == ZSTD;
      case SNAPPY -> snappyLength(values) == page.uncompressedBytes() - levels;
        // Neither can begin one: it would copy from before its first byte.
      case LZ4_RAW -> !isGzip && mark != ZSTD;
      default -> true;
    };
  }

  private static long snappyLength(ByteBuffer values) {
    try {
      return new ThriftReader(values).varint();
    } catch (IOException e) {
      return -1;
    }
  }
}
