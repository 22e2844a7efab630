package io.mooring.parquet.verify;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/**
 * A page of one gzip member. Where a member ends only inflating tells, but the last member of a
 * page says how long it is: as long as the page, where all others are empty. Then the first one
 * tells them apart, by its first byte. After RFC 1951 and 1952.
 */
final class GzipMember extends CompressedStream {
  static final String PROBLEM = "a page is not one plain gzip member";
  private static final int HEADER_BYTES = 10;
  private static final byte DEFLATE = 8;
  // What the header of a deflate block takes at most, with the longest code of its first value.
  private static final int BLOCK_BYTES = (3 + 14 + 19 * 3 + (286 + 32) * 14 + 15 + 7) / 8;

  private final byte[] first = new byte[HEADER_BYTES + BLOCK_BYTES];
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
    keep(bytes, first, 0);
    keep(bytes, last, length - last.length);
    at += bytes.limit();
  }

  /** Copies what of some bytes lies where an array lies in the page. */
  private void keep(ByteBuffer bytes, byte[] kept, int start) {
    int from = Math.max(at, start);
    int end = Math.min(at + bytes.limit(), Math.min(length, start + kept.length));
    if (from < end) {
      bytes.get(from - at, kept, from - start, end - from);
    }
  }

  @Override
  @Nullable String problem() {
    boolean plain =
        uncompressed == 0
            || (length > HEADER_BYTES + Integer.BYTES
                && first[2] == DEFLATE
                && first[3] == 0
                && ByteBuffer.wrap(last).order(ByteOrder.LITTLE_ENDIAN).getInt() == uncompressed
                && givesAByte());
    return plain ? null : PROBLEM;
  }

  private boolean givesAByte() {
    Inflater inflater = new Inflater(true);
    try {
      inflater.setInput(first, HEADER_BYTES, Math.min(length, first.length) - HEADER_BYTES);
      return inflater.inflate(new byte[1]) > 0;
    } catch (DataFormatException e) {
      return false;
    } finally {
      inflater.end();
    }
  }
}
