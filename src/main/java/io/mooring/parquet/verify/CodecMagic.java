package io.mooring.parquet.verify;

import io.mooring.parquet.thrift.ThriftReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;

/**
 * Checks the magic number, or the length, at the beginning of compressed bytes: with a footer that
 * names another codec the GPU would run the wrong decompressor. After RFC 1952 (gzip), RFC 8878
 * (Zstandard) and Snappy's format_description.txt.
 */
final class CodecMagic {
  private static final int GZIP = 0x8b1f;
  private static final int ZSTD = 0xfd2fb528;

  private CodecMagic() {}

  /**
   * Whether a page's values begin as the codec's do.
   *
   * @param bytes the page's body, as far as it is there
   */
  static boolean matches(CompressionCodecName codec, PageHeader page, ByteBuffer bytes) {
    int levels = page.definitionBytes() + page.repetitionBytes();
    int length = page.compressedBytes() - levels;
    if (!page.compressed() || length < Integer.BYTES || bytes.limit() - levels < Integer.BYTES) {
      return true;
    }
    ByteBuffer values = bytes.slice(levels, Math.min(length, bytes.limit() - levels));
    int magic = values.order(ByteOrder.LITTLE_ENDIAN).getInt(0);
    boolean isGzip = (magic & 0xffff) == GZIP;
    return switch (codec) {
      case GZIP -> isGzip;
      case ZSTD -> magic == ZSTD;
      case SNAPPY -> snappyLength(values) == page.uncompressedBytes() - levels;
        // No LZ4 block begins with either: it would copy from before its first byte.
      case LZ4_RAW -> !isGzip && magic != ZSTD;
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
