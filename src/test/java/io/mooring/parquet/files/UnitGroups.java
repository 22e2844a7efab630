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
import java.util.ArrayList;
import java.util.List;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.convert.GroupRecordConverter;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.io.ColumnIOFactory;
import org.apache.parquet.io.DelegatingSeekableInputStream;
import org.apache.parquet.io.InputFile;
import org.apache.parquet.io.RecordReader;
import org.apache.parquet.io.SeekableInputStream;
import org.apache.parquet.schema.MessageType;

/** What parquet-mr reads of a unit, by the unit's own footer and as its only file. */
public final class UnitGroups {
  private UnitGroups() {}

  /** The rows, with the unit's columns in order. */
  public static List<Group> read(ReadUnit unit) throws IOException {
    MessageType wanted =
        new MessageType("m", unit.columns().stream().map(unit.footer().schema()::getType).toList());
    List<Group> rows = new ArrayList<>();
    try (ParquetFileReader reader = ParquetFileReader.open(SequenceInput.of(unit))) {
      reader.setRequestedSchema(wanted);
      for (int rowGroup : unit.rowGroups()) {
        PageReadStore pages = reader.readRowGroup(rowGroup);
        RecordReader<Group> records =
            new ColumnIOFactory()
                .getColumnIO(wanted)
                .getRecordReader(pages, new GroupRecordConverter(wanted));
        for (long i = 0; i < pages.getRowCount(); i++) {
          rows.add(records.read());
        }
      }
    }
    return rows;
  }

  /** A unit's local files as parquet-mr reads one file: their bytes, and behind them its footer. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record SequenceInput(FileSequence files, byte[] tail) implements InputFile {
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
}
