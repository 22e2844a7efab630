package io.mooring.parquet.read;

import io.mooring.parquet.pageskip.SparseColumnChunk;
import io.mooring.parquet.source.FileRange;
import io.mooring.parquet.unit.ReadUnit;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.Util;

/** A sparse unit as the bytes of a file, as far as it is read; the rest of them is noise. */
public final class SparseUnitFile {
  private static final byte[] MAGIC = "PAR1".getBytes(StandardCharsets.US_ASCII);

  private SparseUnitFile() {}

  /** The file with the unit's row groups alone. */
  public static byte[] of(byte[] whole, ReadUnit unit) throws IOException {
    byte[] read = new byte[whole.length];
    Arrays.fill(read, (byte) 0xa5);
    System.arraycopy(MAGIC, 0, read, 0, MAGIC.length);
    for (FileRange range : unit.ranges()) {
      System.arraycopy(
          whole, (int) range.offset(), read, (int) range.offset(), (int) range.length());
    }
    byte[] file = read.clone();
    for (SparseColumnChunk chunk : unit.sparseChunks().values()) {
      byte[] bytes = assembled(chunk, read);
      System.arraycopy(bytes, 0, file, (int) chunk.start(), bytes.length);
    }
    return withFooter(file, narrowed(unit.decoderFooter(), unit));
  }

  private static byte[] narrowed(byte[] thrift, ReadUnit unit) throws IOException {
    FileMetaData file = Util.readFileMetaData(new ByteArrayInputStream(thrift));
    List<RowGroup> own =
        Arrays.stream(unit.rowGroups()).mapToObj(file.getRow_groups()::get).toList();
    file.setRow_groups(own);
    file.setNum_rows(own.stream().mapToLong(RowGroup::getNum_rows).sum());
    ByteArrayOutputStream narrowed = new ByteArrayOutputStream();
    Util.writeFileMetaData(file, narrowed);
    return narrowed.toByteArray();
  }

  /** A chunk as it is decoded, of the bytes of its file. */
  static byte[] assembled(SparseColumnChunk chunk, byte[] read) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (SparseColumnChunk.Part part : chunk.parts()) {
      if (part instanceof SparseColumnChunk.StoredPages stored) {
        bytes.write(read, (int) stored.range().offset(), (int) stored.range().length());
      } else if (part instanceof SparseColumnChunk.Placeholders placeholders) {
        bytes.write(placeholders.pages());
      }
    }
    return bytes.toByteArray();
  }

  private static byte[] withFooter(byte[] data, byte[] thrift) throws IOException {
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    file.write(data);
    file.write(thrift);
    file.write(
        ByteBuffer.allocate(Integer.BYTES)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putInt(thrift.length)
            .array());
    file.write(MAGIC);
    return file.toByteArray();
  }
}
