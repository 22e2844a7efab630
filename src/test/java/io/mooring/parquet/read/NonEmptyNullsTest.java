package io.mooring.parquet.read;

import static org.assertj.core.api.Assertions.assertThat;

import ai.rapids.cudf.ByteRange;
import ai.rapids.cudf.DeviceMemoryBuffer;
import ai.rapids.cudf.HostColumnVector;
import ai.rapids.cudf.HostMemoryBuffer;
import ai.rapids.cudf.HybridScanReader;
import ai.rapids.cudf.ParquetOptions;
import ai.rapids.cudf.Table;
import io.mooring.parquet.files.ParquetFiles;
import io.mooring.parquet.footer.Footer;
import io.mooring.parquet.footer.Footers;
import io.mooring.parquet.source.ParquetFile;
import io.mooring.parquet.unit.UnitPlanner;
import io.mooring.testing.RequiresGpu;
import io.mooring.testing.ScanResults;
import io.mooring.testing.Sessions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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

/** Nulls of pages that have nothing else, behind pages that have values, in files of version 2. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class NonEmptyNullsTest {
  private static final int PAGE_ROWS = 10;
  private static final int ROWS = 7 * PAGE_ROWS;
  // Every other page has values.
  private static final String[] COLUMNS = {
    "id",
    "if(id div 10 % 2 = 0, sha2(string(id), 256), null) as text",
    "if(id div 10 % 2 = 0, array(string(id), 'x'), array(cast(null as string))) as texts"
  };
  private static final int[] ROW_GROUPS = {0};
  // Decompressors read past the end of a chunk.
  private static final long PADDING_BYTES = 64;

  @TempDir static Path folder;
  private SparkSession spark;

  @BeforeAll
  void write() {
    spark =
        Sessions.withPlugin(
            1,
            Map.of("spark.mooring.pinnedPool.size", "64m", "spark.mooring.sql.pushdown", "always"));
    for (String version : List.of("v1", "v2")) {
      spark
          .range(0, ROWS, 1, 1)
          .selectExpr(COLUMNS)
          .write()
          .option("compression", "zstd")
          .option("parquet.writer.version", version)
          .option("parquet.enable.dictionary", "false")
          .option("parquet.page.row.count.limit", PAGE_ROWS)
          .option("parquet.page.size.row.check.min", 1)
          .option("parquet.page.size.row.check.max", 1)
          .parquet(folder.resolve(version).toString());
    }
  }

  @AfterAll
  void stop() {
    spark.stop();
  }

  private static Path file(String version) throws IOException {
    return ScanResults.firstParquetFile(folder.resolve(version));
  }

  private static boolean mayOccur(String version, String... columns) throws Exception {
    ParquetFile file = ParquetFiles.at(file(version));
    Footer footer = Footers.read(file);
    return NonEmptyNulls.mayOccur(
        new UnitPlanner(file, footer, List.of(columns), Long.MAX_VALUE, 0).plan(List.of(0)).get(0));
  }

  @Test
  void mayOccur_isTrueForDeltaByteArrayAlone() throws Exception {
    assertThat(mayOccur("v2", "id", "text")).isTrue();
    assertThat(mayOccur("v2", "texts")).isTrue();
    assertThat(mayOccur("v2", "id")).isFalse();
    assertThat(mayOccur("v1", "id", "text", "texts")).isFalse();
  }

  @Test
  void aPipelineDisablesCudfsAssertionAndNoOther() throws Exception {
    ClassLoader loader = Class.forName(UnitPipeline.class.getName()).getClassLoader();
    Class<?> assertion = Class.forName("ai.rapids.cudf.AssertEmptyNulls", false, loader);
    assertThat(assertion.desiredAssertionStatus()).isFalse();
    assertThat(Table.class.desiredAssertionStatus()).isTrue();
  }

  @RequiresGpu
  @Test
  void purge_ofNullsWithBytes_leavesNone() throws Exception {
    NonEmptyNulls.disableAssertion();
    Table decoded = decoded(file("v2"));
    assertThat(decoded.getColumn(0).hasNonEmptyNulls()).isFalse();
    assertThat(decoded.getColumn(1).hasNonEmptyNulls() || decoded.getColumn(2).hasNonEmptyNulls())
        .as("this cudf gives nulls no bytes: WholeTable can do without NonEmptyNulls")
        .isTrue();
    try (Table purged = NonEmptyNulls.purge(decoded)) {
      for (int i = 0; i < COLUMNS.length; i++) {
        assertThat(purged.getColumn(i).hasNonEmptyNulls()).isFalse();
      }
      assertValues(purged);
    }
  }

  private void assertValues(Table table) {
    List<Row> rows = spark.range(ROWS).selectExpr(COLUMNS).collectAsList();
    try (HostColumnVector text = table.getColumn(1).copyToHost();
        HostColumnVector texts = table.getColumn(2).copyToHost()) {
      for (int i = 0; i < ROWS; i++) {
        assertThat(text.isNull(i) ? null : text.getJavaString(i)).isEqualTo(rows.get(i).get(1));
        assertThat((Object) texts.getList(i)).isEqualTo(rows.get(i).getList(2));
      }
    }
  }

  /** The table that libcudf gives. */
  private static Table decoded(Path path) throws Exception {
    byte[] file = Files.readAllBytes(path);
    byte[] thrift = Footers.read(ParquetFiles.at(path)).thrift();
    List<DeviceMemoryBuffer> chunks = new ArrayList<>();
    try (HostMemoryBuffer footer = HostMemoryBuffer.allocateRaw(thrift.length)) {
      footer.setBytes(0, thrift, 0, thrift.length);
      try (HybridScanReader reader =
          new HybridScanReader(footer, ParquetOptions.builder().build())) {
        for (ByteRange range : reader.allColumnChunksByteRanges(ROW_GROUPS)) {
          chunks.add(uploaded(file, range));
        }
        return reader.materializeAllColumns(ROW_GROUPS, chunks.toArray(DeviceMemoryBuffer[]::new));
      }
    } finally {
      chunks.forEach(DeviceMemoryBuffer::close);
    }
  }

  private static DeviceMemoryBuffer uploaded(byte[] file, ByteRange range) {
    DeviceMemoryBuffer device = DeviceMemoryBuffer.allocate(range.size() + PADDING_BYTES);
    try (HostMemoryBuffer host = HostMemoryBuffer.allocateRaw(range.size() + PADDING_BYTES)) {
      host.setBytes(0, file, range.offset(), range.size());
      device.copyFromHostBuffer(host);
    }
    try (device) {
      return device.slice(0, range.size());
    }
  }

  @RequiresGpu
  @ParameterizedTest
  @ValueSource(
      strings = {
        "select * from %s",
        "select texts, text from %s where id > 5",
        "select id from %s where text is null",
        "select id, text, texts from %s where text >= '8' or mod(id, 10) = 9",
        "select max(text), min(text), count(text), count(*) from %s",
        "select text, count(*), sum(id) from %s group by text",
        "select id from %s where text like '%%a%%'",
        "select id, length(text), upper(text) from %s where texts is not null"
      })
  void queriesGiveWhatWasWritten(String query) {
    for (String version : List.of("v1", "v2")) {
      String path = folder.resolve(version).toString();
      Dataset<Row> ours = spark.sql(query.formatted("mooring.`" + path + "`"));
      spark.range(ROWS).selectExpr(COLUMNS).createOrReplaceTempView("written");
      assertThat(ScanResults.rows(ours))
          .isEqualTo(ScanResults.rows(spark.sql(query.formatted("written"))));
      ScanResults.assertReadByGpuAlone(ours);
    }
  }
}
