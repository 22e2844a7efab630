package io.mooring.parquet.files;

import io.mooring.parquet.source.FileRange;
import io.mooring.parquet.source.FileSequence;
import io.mooring.parquet.unit.ReadUnit;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.apache.parquet.io.DelegatingSeekableInputStream;
import org.apache.parquet.io.InputFile;
import org.apache.parquet.io.SeekableInputStream;

/** A unit's local files as parquet-mr reads one file: their bytes, and behind them its footer. */
@SuppressWarnings("ArrayRecordComponent") // never compared
record SequenceInput(FileSequence files, byte[] tail) implements InputFile {
  static SequenceInput of(ReadUnit unit) {
    byte[] thrift = unit.footer().thrift();
    ByteBuffer tail = ByteBuffer.allocate(thrift.length + 8).order(ByteOrder.LITTLE_ENDIAN);
    tail.put(thrift).putInt(thrift.length).put("PAR1".getBytes(StandardCharsets.US_ASCII));
    return new SequenceInput(unit.files(), tail.array());
  }

  @Override
  public long getLength() {
    return files.length() + tail.length;
  }

  @Override
  public SeekableInputStream newStream() {
    Bytes bytes = new Bytes();
    return new DelegatingSeekableInputStream(bytes) {
      @Override
      public long getPos() {
        return bytes.at;
      }

      @Override
      public void seek(long position) {
        bytes.at = position;
      }
    };
  }

  private final class Bytes extends java.io.InputStream {
    private long at;

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
    }

    @Override
    public int read(byte[] to, int offset, int length) throws IOException {
      int read = at < files.length() ? ofFile(to, offset, length) : ofTail(to, offset, length);
      at += Math.max(read, 0);
      return read;
    }

    private int ofFile(byte[] to, int offset, int length) throws IOException {
      Path path = Path.of(files.files().get(files.indexAt(at)).hadoopPath().toUri().getPath());
      try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "r")) {
        file.seek(files.inFile(new FileRange(at, 0)).offset());
        return file.read(to, offset, length);
      }
    }

    private int ofTail(byte[] to, int offset, int length) {
      int from = (int) (at - files.length());
      int bytes = Math.min(length, tail.length - from);
      System.arraycopy(tail, from, to, offset, bytes);
      return bytes;
    }
  }
}
