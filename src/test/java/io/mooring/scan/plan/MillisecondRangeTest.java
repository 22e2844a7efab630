package io.mooring.scan.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.mooring.datasource.PlannedScan;
import io.mooring.parquet.footer.UnreadableOnGpuException;
import io.mooring.testing.Sessions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroupFactory;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Milliseconds at the edges of what microseconds hold, and compared with microseconds. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MillisecondRangeTest {
  private static final MessageType SCHEMA =
      MessageTypeParser.parseMessageType("message m { optional int64 t (TIMESTAMP_MILLIS); }");
  private static final long LAST = Long.MAX_VALUE / 1000;
  private static final long FIRST = Long.MIN_VALUE / 1000;

  @TempDir static Path folder;
  private SparkSession spark;

  @BeforeAll
  void start() {
    spark =
        Sessions.withPlugin(
            1,
            Map.of(
                "spark.mooring.pinnedPool.size",
                "64m",
                // The files do not tell their calendar, and Spark 3.5 asks for it.
                "spark.sql.parquet.datetimeRebaseModeInRead",
                "CORRECTED"));
  }

  @AfterAll
  void stop() {
    spark.stop();
  }

  private static ExampleParquetWriter.Builder writer(Path file) {
    return ExampleParquetWriter.builder(new org.apache.hadoop.fs.Path(file.toUri()))
        .withType(SCHEMA);
  }

  private Dataset<Row> table(String name, boolean statistics, Long... values) throws IOException {
    Path file = folder.resolve(name + ".parquet");
    var builder = writer(file);
    if (!statistics) {
      // The writers before Spark 4.1 always write them.
      assumeThat(spark.version()).isGreaterThanOrEqualTo("4.1");
      builder.withStatisticsEnabled(false);
    }
    write(builder, values);
    return spark.read().format("mooring").load(file.toString());
  }

  private static void write(ExampleParquetWriter.Builder builder, Long... values)
      throws IOException {
    var factory = new SimpleGroupFactory(SCHEMA);
    try (ParquetWriter<Group> writer = builder.build()) {
      for (Long value : values) {
        Group row = factory.newGroup();
        writer.write(value == null ? row : row.append("t", value));
      }
    }
  }

  private static void assertSparks(Dataset<Row> table) {
    assertThatThrownBy(() -> PlannedScan.of(table))
        .isInstanceOf(UnreadableOnGpuException.class)
        .hasMessage("column t may hold milliseconds out of range");
  }

  @Test
  void whatStatisticsShowToBeInRangeIsPlannedForTheGpu() throws Exception {
    Dataset<Row> edges = table("edges", true, FIRST, null, 0L, LAST);
    assertThat(PlannedScan.of(edges).rowGroups()).containsExactly(0);
    assertThat(PlannedScan.of(table("nulls", true, null, null)).rowGroups()).containsExactly(0);
    assertThat(edges.selectExpr("unix_micros(t) as m").filter("m is not null").count())
        .isEqualTo(3);
  }

  @Test
  void whatIsOutOfRangeOrUnknownIsSparks() throws Exception {
    assertSparks(table("before", true, FIRST - 1, 0L));
    assertSparks(table("after", true, 0L, LAST + 1));
    assertSparks(table("unknown", false, 0L));
  }

  /** libcudf takes a delta of milliseconds for one of microseconds. */
  @Test
  void differencesOfMillisecondsAreSparks() throws Exception {
    Path file = folder.resolve("deltas.parquet");
    write(
        writer(file).withWriterVersion(WriterVersion.PARQUET_2_0).withDictionaryEncoding(false),
        1_802L,
        null,
        253_402_238_767_710L);
    Dataset<Row> table = spark.read().format("mooring").load(file.toString());
    assertThatThrownBy(() -> PlannedScan.of(table))
        .isInstanceOf(UnreadableOnGpuException.class)
        .hasMessage("times in another unit than microseconds are encoded as DELTA_BINARY_PACKED");
    assertThat(table.selectExpr("sum(unix_micros(t))").first().getLong(0))
        .isEqualTo(253_402_238_769_512_000L);
  }

  /** Spark's own reader takes such a time for the millisecond before and prunes by that. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "t <> timestamp'1970-01-01 00:00:01.802902Z'",
        "t < timestamp'1970-01-01 00:00:01.802902Z'",
        "t not in (timestamp'1970-01-01 00:00:01.802902Z', timestamp'1970-01-01 00:00:02Z')",
        "not (t = timestamp'1970-01-01 00:00:01.802902Z' or t > timestamp'1971-01-01 00:00:00Z')"
      })
  void aTimeBetweenTwoMillisecondsIsNoneOfThem(String condition) throws Exception {
    String name = "between" + Math.abs(condition.hashCode());
    assertThat(table(name, true, 1802L, 1802L).where(condition).count()).isEqualTo(2);
  }

  @Test
  void anOverflowIsAnErrorAndNotAWrongTime() throws Exception {
    Dataset<Row> table = table("overflow", true, 0L, LAST + 1);
    assertThatThrownBy(table::collectAsList)
        .rootCause()
        .isInstanceOf(ArithmeticException.class)
        .hasMessageContaining("overflow");
  }
}
