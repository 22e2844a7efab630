package io.mooring.parquet;

import io.mooring.memory.HostMemory;
import java.io.IOException;
import org.apache.hadoop.fs.FSDataInputStream;

/** A file of any Hadoop file system, read through a small heap buffer of each thread. */
final class HadoopFileSource implements FileSource {
  private static final int COPY_BYTES = 1 << 20;
  private static final ThreadLocal<byte[]> COPY =
      ThreadLocal.withInitial(() -> new byte[COPY_BYTES]);

  private final FSDataInputStream in;

  HadoopFileSource(FSDataInputStream in) {
    this.in = in;
  }

  @Override
  public void readFully(long offset, long address, long bytes) throws IOException {
    byte[] copy = COPY.get();
    for (long done = 0; done < bytes; done += copy.length) {
      int now = (int) Math.min(copy.length, bytes - done);
      in.readFully(offset + done, copy, 0, now);
      HostMemory.copyIn(copy, now, address + done);
    }
  }

  @Override
  public void close() {
    try {
      in.close();
    } catch (IOException e) {
      // Everything that was asked for has been read: nothing is lost by a failing close.
    }
  }
}
