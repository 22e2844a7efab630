package io.mooring.parquet.verify;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Checks that a page is one Zstandard frame without a dictionary, by the lengths in the headers of
 * its blocks. After RFC 8878.
 */
final class ZstdFrame extends CompressedStream {
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
