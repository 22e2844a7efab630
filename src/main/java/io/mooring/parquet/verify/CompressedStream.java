package io.mooring.parquet.verify;

import java.nio.ByteBuffer;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.jspecify.annotations.Nullable;

/**
 * Checks that the compressed values of a page, added in order, are one stream of their codec that
 * ends where the page ends. Codecs may allow several streams one after the other, of which a
 * decoder on the GPU reads the first. Used by one thread at a time.
 */
abstract class CompressedStream {
  /** A check for pages of a codec; null for codecs without frames. */
  static @Nullable CompressedStream of(CompressionCodecName codec) {
    return switch (codec) {
      case GZIP -> new GzipMember();
      case ZSTD -> new ZstdFrame();
      default -> null;
    };
  }

  /**
   * Begins a page.
   *
   * @param compressed length of its values
   * @param uncompressed their length when decompressed
   */
  abstract void begin(int compressed, int uncompressed);

  /** Adds the next bytes of the page's values. */
  abstract void add(ByteBuffer bytes);

  /** The problem of the page, once all of it was added; null for one plain stream. */
  abstract @Nullable String problem();
}
