package io.mooring.parquet.source;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.fs.FSDataInputStream;

/** For streams that know nothing but arrays: through a small one of each thread. Thread-safe. */
final class HeapCopyRead implements StreamRead {
  private static final int COPY_BYTES = 1 << 20;
  private static final ThreadLocal<byte[]> COPY =
      ThreadLocal.withInitial(() -> new byte[COPY_BYTES]);

  @Override
  public void readFully(FSDataInputStream in, long offset, ByteBuffer to) throws IOException {
    byte[] copy = COPY.get();
    long at = offset - to.position();
    while (to.hasRemaining()) {
      int now = Math.min(copy.length, to.remaining());
      in.readFully(at + to.position(), copy, 0, now);
      to.put(copy, 0, now);
    }
  }
}
