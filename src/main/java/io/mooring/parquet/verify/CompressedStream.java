package io.mooring.parquet.verify;

import java.nio.ByteBuffer;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.jspecify.annotations.Nullable;

/**
 * The compressed values of one page, which come in order and in parts: whether they are one stream
 * of their codec that ends where the page ends. Codecs may allow several streams one behind the
 * other, of which a decoder on the GPU sees the first. Belongs to one thread at a time.
 */
abstract class CompressedStream {
  /** For pages of a codec; null for codecs that have no frames of their own. */
  static @Nullable CompressedStream of(CompressionCodecName codec) {
    return switch (codec) {
      case GZIP -> new GzipMember();
      case ZSTD -> new ZstdFrame();
      default -> null;
    };
  }

  /**
   * A page begins.
   *
   * @param compressed bytes of its values
   * @param uncompressed bytes that they give
   */
  abstract void begin(int compressed, int uncompressed);

  /** Takes the next bytes of the page's values. */
  abstract void add(ByteBuffer bytes);

  /** What is wrong with the page, once all of it has come; null where it is one plain stream. */
  abstract @Nullable String problem();
}
