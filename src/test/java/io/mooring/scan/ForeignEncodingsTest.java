package io.mooring.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.datasource.PlannedScan;
import io.mooring.testing.RequiresGpu;
import io.mooring.testing.RowGroupRows;
import io.mooring.testing.ScanResults;
import io.mooring.testing.Sessions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.parquet.bytes.HeapByteBufferAllocator;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.ParquetProperties;
import org.apache.parquet.column.values.ValuesWriter;
import org.apache.parquet.column.values.deltalengthbytearray.DeltaLengthByteArrayValuesWriter;
import org.apache.parquet.column.values.factory.DefaultV2ValuesWriterFactory;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroupFactory;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Encodings that Spark does not write: all values are those that were written. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ForeignEncodingsTest {
  private static final int ROWS = 2_000;
  private static final MessageType SCHEMA =
      MessageTypeParser.parseMessageType(
          "message m { optional float f; optional double d; optional binary s (UTF8); }");

  @TempDir static Path folder;
  private final long seed = System.nanoTime();
  private final Random random = new Random(seed);
  private SparkSession spark;

  @BeforeAll
  void start() {
    System.out.println("ForeignEncodingsTest seed " + seed);
    spark = Sessions.withPlugin(1, Map.of("spark.mooring.pinnedPool.size", "64m"));
  }

  @AfterAll
  void stop() {
    spark.stop();
  }

  /** With DELTA_LENGTH_BYTE_ARRAY, which parquet-mr writes only as a part of another encoding. */
  private static final class DeltaLengths extends DefaultV2ValuesWriterFactory {
    private static final int SLAB_BYTES = 64;
    private static final int PAGE_BYTES = 1 << 20;

    @Override
    public ValuesWriter newValuesWriter(ColumnDescriptor column) {
      return column.getPrimitiveType().getPrimitiveTypeName() == PrimitiveTypeName.BINARY
          ? new DeltaLengthByteArrayValuesWriter(
              SLAB_BYTES, PAGE_BYTES, HeapByteBufferAllocator.getInstance())
          : super.newValuesWriter(column);
    }
  }

  private static ExampleParquetWriter.Builder writer(Path file) {
    return RowGroupRows.limit(
        ExampleParquetWriter.builder(new org.apache.hadoop.fs.Path(file.toUri()))
            .withType(SCHEMA)
            .withDictionaryEncoding(false)
            .withPageRowCountLimit(90),
        700);
  }

  private static void useDeltaLengths(ParquetWriter.Builder<?, ?> builder) throws Exception {
    var properties = ParquetWriter.Builder.class.getDeclaredField("encodingPropsBuilder");
    properties.setAccessible(true);
    ((ParquetProperties.Builder) properties.get(builder))
        .withValuesWriterFactory(new DeltaLengths());
  }

  private List<Row> write(ExampleParquetWriter.Builder builder) throws Exception {
    List<Row> rows = new ArrayList<>();
    var factory = new SimpleGroupFactory(SCHEMA);
    try (ParquetWriter<Group> writer = builder.build()) {
      for (int i = 0; i < ROWS; i++) {
        Object[] row = {null, null, null};
        Group group = factory.newGroup();
        if (random.nextInt(4) > 0) {
          group.add(0, random.nextFloat());
          row[0] = group.getFloat(0, 0);
        }
        if (random.nextInt(4) > 0) {
          group.add(1, random.nextGaussian());
          row[1] = group.getDouble(1, 0);
        }
        if (random.nextInt(4) > 0) {
          group.add(2, "x".repeat(random.nextInt(9)) + random.nextInt());
          row[2] = group.getString(2, 0);
        }
        writer.write(group);
        rows.add(RowFactory.create(row));
      }
    }
    return rows;
  }

  private void assertRead(Path file, List<Row> rows, Encoding encoding) throws Exception {
    var ours = spark.read().format("mooring").load(file.toString());
    var units = PlannedScan.of(ours).plans().get(0).units();
    Set<Encoding> encodings =
        units.get(0).footer().rowGroups().get(0).getColumns().stream()
            .flatMap(chunk -> chunk.getEncodings().stream())
            .collect(Collectors.toSet());
    assertThat(encodings).contains(encoding);
    ScanResults.assertSame(ours, spark.createDataFrame(rows, ours.schema()));
    ScanResults.assertReadByGpuAlone(ours);
  }

  @Test
  void deltaLengthByteArray() throws Exception {
    Path file = folder.resolve("lengths.parquet");
    var builder = writer(file);
    useDeltaLengths(builder);
    assertRead(file, write(builder), Encoding.DELTA_LENGTH_BYTE_ARRAY);
  }

  /** Spark's own reader of batches does not know it. */
  @Test
  @RequiresGpu
  void byteStreamSplit() throws Exception {
    Path file = folder.resolve("split.parquet");
    var builder = writer(file).withByteStreamSplitEncoding(true);
    assertRead(file, write(builder), Encoding.BYTE_STREAM_SPLIT);
  }
}
