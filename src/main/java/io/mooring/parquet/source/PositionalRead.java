package io.mooring.parquet.source;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.fs.FSDataInputStream;

/** Reads of a buffer at an offset, as HDFS serves them: by any number of threads. */
final class PositionalRead implements StreamRead {
  @Override
  public void readFully(FSDataInputStream in, long offset, ByteBuffer to) throws IOException {
    in.readFully(offset, to);
  }

  @Override
  public int atOnce() {
    return Integer.MAX_VALUE;
  }
}
