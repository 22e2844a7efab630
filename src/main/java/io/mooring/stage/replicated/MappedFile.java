package io.mooring.stage.replicated;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A memory-mapped file, in segments; no value lies in two of them. The mapping outlives the file's
 * name, and is freed by the garbage collector. Any number of threads may read.
 */
final class MappedFile {
  private final ByteBuffer[] segments;
  private final int segmentBits;

  private MappedFile(ByteBuffer[] segments, int segmentBits) {
    this.segments = segments;
    this.segmentBits = segmentBits;
  }

  /**
   * Maps a file, whose blocks must all be allocated: a write into a hole of a full disk would crash
   * the process.
   *
   * @param segmentBits the binary logarithm of a segment's bytes
   */
  static MappedFile of(Path file, int segmentBits) throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      long size = channel.size();
      long each = 1L << segmentBits;
      ByteBuffer[] segments = new ByteBuffer[(int) ((size + each - 1) >> segmentBits)];
      for (int i = 0; i < segments.length; i++) {
        long start = (long) i << segmentBits;
        segments[i] =
            channel
                .map(FileChannel.MapMode.READ_WRITE, start, Math.min(each, size - start))
                .order(ByteOrder.nativeOrder());
      }
      return new MappedFile(segments, segmentBits);
    }
  }

  private ByteBuffer segment(long position) {
    return segments[(int) (position >> segmentBits)];
  }

  private int offset(long position) {
    return (int) (position & ((1L << segmentBits) - 1));
  }

  int getInt(long position) {
    return segment(position).getInt(offset(position));
  }

  long getLong(long position) {
    return segment(position).getLong(offset(position));
  }

  void putLong(long position, long value) {
    segment(position).putLong(offset(position), value);
  }

  byte[] getBytes(long position, int count) {
    byte[] bytes = new byte[count];
    segment(position).get(offset(position), bytes);
    return bytes;
  }
}
