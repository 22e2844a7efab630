package io.mooring.parquet.read;

import io.mooring.parquet.footer.MovedFooter;
import io.mooring.parquet.source.FileRange;
import io.mooring.parquet.unit.ReadUnit;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.Util;

/**
 * One row group of a unit as a Parquet file of its own, which has the unit's columns alone: a head,
 * the column chunks one behind the other, and a tail. Whoever has the chunks puts it together.
 *
 * @param tail the footer with its length and what every file ends with
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record RowGroupFile(List<Chunk> chunks, byte[] tail) {
  private static final byte[] MAGIC = "PAR1".getBytes(StandardCharsets.US_ASCII);

  /**
   * A column chunk.
   *
   * @param range of it in the unit's files; of a thinned one as long as it is decoded
   * @param offset of its first byte in this file
   */
  record Chunk(FileRange range, long offset) {}

  /**
   * Lays out the file of a row group.
   *
   * @param rowGroup its index in the unit's footer
   * @throws IOException when the footer cannot be written again
   */
  static RowGroupFile of(ReadUnit unit, int rowGroup) throws IOException {
    FileMetaData old = Util.readFileMetaData(new ByteArrayInputStream(ThinnedFooter.thrift(unit)));
    MovedFooter footer = new MovedFooter(old, unit.footer().schema(), unit.columns());
    List<Chunk> chunks = new ArrayList<>();
    footer.add(old.getRow_groups().get(rowGroup), chunk -> shift(chunk, chunks));
    return new RowGroupFile(List.copyOf(chunks), tail(footer.metadata()));
  }

  private static long shift(ColumnMetaData old, List<Chunk> chunks) {
    FileRange range = new FileRange(ThinnedFooter.start(old), old.getTotal_compressed_size());
    Chunk chunk = new Chunk(range, end(chunks));
    chunks.add(chunk);
    return chunk.offset() - range.offset();
  }

  private static long end(List<Chunk> chunks) {
    if (chunks.isEmpty()) {
      return MAGIC.length;
    }
    Chunk last = chunks.get(chunks.size() - 1);
    return last.offset() + last.range().length();
  }

  private static byte[] tail(FileMetaData footer) throws IOException {
    ByteArrayOutputStream tail = new ByteArrayOutputStream();
    Util.writeFileMetaData(footer, tail);
    tail.write(
        ByteBuffer.allocate(Integer.BYTES)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putInt(tail.size())
            .array());
    tail.write(MAGIC);
    return tail.toByteArray();
  }

  /** What every file begins with. */
  byte[] head() {
    return MAGIC.clone();
  }

  /** Where the tail begins. */
  long tailOffset() {
    return end(chunks);
  }

  /** Bytes of the file. */
  long length() {
    return tailOffset() + tail.length;
  }
}
