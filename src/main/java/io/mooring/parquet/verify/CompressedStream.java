package io.mooring.parquet.verify;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.jspecify.annotations.Nullable;

/**
 * Checks that the compressed values of a page, added in order, are one stream of their codec that
 * ends where the page ends. Codecs may allow several streams one after the other, of which a
 * decoder on the GPU reads the first. Used by one thread at a time.
 */
abstract class CompressedStream {
  /** A check for pages of a codec; null for a codec whose pages tell their length. */
  static @Nullable CompressedStream of(CompressionCodecName codec) {
    return switch (codec) {
      case GZIP -> new GzipMember();
      case ZSTD -> new ZstdFrame();
      case LZ4_RAW -> new Lz4Block();
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

  /**
   * Checks that a page is one gzip member with the shortest header. Where a member ends is known
   * only by inflating it, which would take longer than reading it. But the trailer of the last
   * member has its length, which is the page's only if all members before it are empty. An empty
   * member ends in eight zeros, its checksum and length, and is shorter than {@link #FIRST_BYTES}
   * unless it has a hundred empty blocks. After RFC 1951 and 1952.
   */
  private static final class GzipMember extends CompressedStream {
    static final String PROBLEM = "a page is not one plain gzip member";
    private static final int HEADER_BYTES = 10;
    private static final int TRAILER_BYTES = 8;
    // More than an empty block of any type takes: with codes of its own it takes 600.
    private static final int FIRST_BYTES = 1024;
    private static final int MARK = 0x1f8b;
    private static final byte DEFLATE = 8;

    private final byte[] first = new byte[FIRST_BYTES];
    private final byte[] last = new byte[Integer.BYTES];
    private int length;
    private int uncompressed;
    private int at;

    @Override
    void begin(int compressedBytes, int uncompressedBytes) {
      length = compressedBytes;
      uncompressed = uncompressedBytes;
      at = 0;
    }

    @Override
    void add(ByteBuffer bytes) {
      copy(bytes, first, 0);
      copy(bytes, last, length - last.length);
      at += bytes.limit();
    }

    /** Copies the bytes that lie in the window of the page that begins at {@code start}. */
    private void copy(ByteBuffer bytes, byte[] target, int start) {
      int from = Math.max(at, start);
      int end = Math.min(at + bytes.limit(), Math.min(length, start + target.length));
      if (from < end) {
        bytes.get(from - at, target, from - start, end - from);
      }
    }

    @Override
    @Nullable String problem() {
      boolean plain =
          length >= HEADER_BYTES + TRAILER_BYTES
              && first[2] == DEFLATE
              && first[3] == 0
              && ByteBuffer.wrap(last).order(ByteOrder.LITTLE_ENDIAN).getInt() == uncompressed
              && !beginsWithEmptyMember();
      return plain ? null : PROBLEM;
    }

    private boolean beginsWithEmptyMember() {
      int end = Math.min(length, first.length);
      int zeros = 0;
      for (int i = HEADER_BYTES; i < end - 1; i++) {
        if (zeros >= TRAILER_BYTES && ((first[i] & 0xff) << 8 | first[i + 1] & 0xff) == MARK) {
          return true;
        }
        zeros = first[i] == 0 ? zeros + 1 : 0;
      }
      return false;
    }
  }

  /**
   * Checks that a page is one Zstandard frame without a dictionary, by the lengths in the headers
   * of its blocks. After RFC 8878.
   */
  private static final class ZstdFrame extends CompressedStream {
    static final String PROBLEM = "a page is not one plain Zstandard frame";
    private static final int MAGIC_BYTES = 4;
    private static final int BLOCK_HEADER_BYTES = 3;
    private static final int CHECKSUM_BYTES = 4;
    private static final int RESERVED_FLAG = 8;
    private static final int DICTIONARY_FLAGS = 3;
    private static final int RLE_BLOCK = 1;
    private static final int RESERVED_BLOCK = 3;

    private final byte[] header = new byte[MAGIC_BYTES + 1];
    private int length;
    private int at;

    // The offset of the next header or, after the last block, of the page's end.
    private long next;
    private int headerBytes;
    private boolean hasChecksum;
    private boolean known;
    private boolean plain;

    @Override
    void begin(int compressedBytes, int uncompressedBytes) {
      length = compressedBytes;
      at = 0;
      next = 0;
      headerBytes = MAGIC_BYTES + 1;
      known = false;
      plain = true;
    }

    @Override
    void add(ByteBuffer bytes) {
      int end = at + bytes.limit();
      while (plain && headerBytes > 0 && next < end) {
        int from = (int) Math.max(at, next);
        int until = (int) Math.min(end, next + headerBytes);
        bytes.get(from - at, header, (int) (from - next), until - from);
        if (until < next + headerBytes) {
          break;
        }
        if (known) {
          block();
        } else {
          frame();
        }
      }
      at = end;
    }

    /** Skips from the frame's descriptor to its first block. */
    private void frame() {
      int flags = header[MAGIC_BYTES];
      boolean oneSegment = (flags & 0x20) != 0;
      hasChecksum = (flags & 4) != 0;
      plain = (flags & (RESERVED_FLAG | DICTIONARY_FLAGS)) == 0;
      int sizeBytes = new int[] {oneSegment ? 1 : 0, 2, 4, 8}[flags >> 6 & 3];
      next += headerBytes + (oneSegment ? 0 : 1) + sizeBytes;
      headerBytes = BLOCK_HEADER_BYTES;
      known = true;
    }

    /** Skips from a block's header to the next one. */
    private void block() {
      int bits = header[0] & 0xff | (header[1] & 0xff) << 8 | (header[2] & 0xff) << 16;
      int type = bits >> 1 & 3;
      plain = type != RESERVED_BLOCK;
      next += BLOCK_HEADER_BYTES + (type == RLE_BLOCK ? 1 : bits >> 3);
      if ((bits & 1) != 0) {
        next += hasChecksum ? CHECKSUM_BYTES : 0;
        headerBytes = 0;
      }
    }

    @Override
    @Nullable String problem() {
      return plain && headerBytes == 0 && next == length ? null : PROBLEM;
    }
  }
}
