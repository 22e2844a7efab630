package io.mooring.parquet.files;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.statistics.Statistics;
import org.apache.parquet.hadoop.ParquetFileWriter;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.hadoop.util.HadoopOutputFile;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;

/** Files of a column {@code v} of longs, 0 and up, whose pages are compressed as a test has it. */
public final class CompressedPages {
  private static final MessageType SCHEMA =
      MessageTypeParser.parseMessageType("message m { required int64 v; }");

  private CompressedPages() {}

  /**
   * Writes pages of version 1, two in each row group.
   *
   * @param rows of a page
   */
  public static void write(
      Path path, CompressionCodecName codec, int pages, int rows, UnaryOperator<byte[]> compression)
      throws IOException {
    var out =
        HadoopOutputFile.fromPath(new org.apache.hadoop.fs.Path(path.toUri()), ParquetFiles.CONF);
    ParquetFileWriter writer =
        new ParquetFileWriter(
            out,
            SCHEMA,
            ParquetFileWriter.Mode.CREATE,
            ParquetWriter.DEFAULT_BLOCK_SIZE,
            ParquetWriter.MAX_PADDING_SIZE_DEFAULT);
    writer.start();
    for (int page = 0; page < pages; page += 2) {
      int inGroup = Math.min(2, pages - page);
      writer.startBlock((long) inGroup * rows);
      writer.startColumn(SCHEMA.getColumns().get(0), (long) inGroup * rows, codec);
      for (int i = page; i < page + inGroup; i++) {
        write(writer, (long) i * rows, rows, compression);
      }
      writer.endColumn();
      writer.endBlock();
    }
    writer.end(Map.of());
  }

  private static void write(
      ParquetFileWriter writer, long first, int rows, UnaryOperator<byte[]> compression)
      throws IOException {
    ByteBuffer values = ByteBuffer.allocate(rows * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    Statistics<?> statistics =
        Statistics.createStats(SCHEMA.getColumns().get(0).getPrimitiveType());
    for (long value = first; value < first + rows; value++) {
      values.putLong(value);
      statistics.updateStats(value);
    }
    writer.writeDataPage(
        rows,
        values.capacity(),
        BytesInput.from(compression.apply(values.array())),
        statistics,
        rows,
        Encoding.RLE,
        Encoding.RLE,
        Encoding.PLAIN);
  }
}
