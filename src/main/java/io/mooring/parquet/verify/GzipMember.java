package io.mooring.parquet.verify;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * Checks that a page is one gzip member with the shortest header. Where a member ends is known only
 * by inflating it, which would take longer than reading it. But the trailer of the last member has
 * its length, which is the page's only if all members before it are empty. An empty member ends in
 * eight zeros, its checksum and length, and is shorter than {@link #FIRST_BYTES} unless it has a
 * hundred empty blocks. After RFC 1951 and 1952.
 */
final class GzipMember extends CompressedStream {
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
