package io.mooring.parquet.read;

import static org.assertj.core.api.Assertions.assertThat;

import ai.rapids.cudf.DType;
import ai.rapids.cudf.HostColumnVector;
import ai.rapids.cudf.Table;
import io.mooring.cache.ChunkCache;
import io.mooring.gpu.GpuRuntime;
import io.mooring.jni.TransferJni;
import io.mooring.parquet.files.ParquetFiles;
import io.mooring.parquet.footer.Footer;
import io.mooring.parquet.footer.Footers;
import io.mooring.parquet.source.ParquetFile;
import io.mooring.parquet.unit.ChunkedDecoding;
import io.mooring.parquet.unit.CoalescedUnit;
import io.mooring.parquet.unit.ReadUnit;
import io.mooring.parquet.unit.ScanCounters;
import io.mooring.parquet.unit.ScanCounters.Counter;
import io.mooring.parquet.unit.UnitPlanner;
import io.mooring.testing.RequiresGpu;
import io.mooring.testing.Sessions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Chunks of units of several row groups: the rows of one decode of all, in the same columns. */
@RequiresGpu
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FileChunkedTablesTest {
  private static final int ROWS = 40_000;
  private static final long ROW_GROUP_BYTES = 16 << 10;
  private static final long CHUNK_BYTES = 4 << 10;
  // Chunks end where pages do.
  private static final int PAGE_ROWS = 200;
  // Not as in the file.
  private static final List<String> COLUMNS = List.of("text", "id");
  // In version 2 strings are in an encoding that is not chunked.
  private static final List<String> NUMBERS = List.of("other", "id");

  @TempDir static Path folder;
  private SparkSession spark;
  private ScanResources resources;

  @BeforeAll
  void start() {
    spark = Sessions.withPlugin(1, Map.of("spark.mooring.pinnedPool.size", "64m"));
    // What is allocated before the device's limits are set would be freed under them.
    assertThat(GpuRuntime.current().orElseThrow().usable()).isTrue();
    long stream = TransferJni.createStream();
    resources =
        new ScanResources(
            IoThreads.start(2, 2, stream, () -> TransferJni.setDevice(0)),
            new DeviceAdmission(1 << 30),
            TaskLimit.NONE,
            DecodeMonitor.NONE,
            ChunkCache.OFF);
  }

  @AfterAll
  void stop() {
    spark.stop();
  }

  private static ReadUnit unit(ParquetFile file, List<String> columns) throws Exception {
    Footer footer = Footers.read(file);
    List<Integer> all = IntStream.range(0, footer.rowGroups().size()).boxed().toList();
    // Without the first, so that not every row group of the file is wanted.
    return new UnitPlanner(file, footer, columns, Long.MAX_VALUE, 0)
        .plan(all.subList(1, all.size()))
        .get(0);
  }

  private List<String> rows(ReadUnit unit, ScanCounters counters) throws Exception {
    List<String> rows = new ArrayList<>();
    try (UnitPipeline pipeline =
            new UnitPipeline(List.of(unit), resources, ParquetFiles.CONF, counters);
        UnitTables tables = pipeline.next(unit)) {
      for (Table next = tables.next(); next != null; next = tables.next()) {
        try (Table table = next) {
          rows.addAll(rows(table));
        }
      }
    }
    assertThat(resources.admission().isIdle()).isTrue();
    return rows;
  }

  private static List<String> rows(Table table) {
    assertThat(table.getNumberOfColumns()).isEqualTo(COLUMNS.size());
    List<String> rows = new ArrayList<>();
    try (HostColumnVector first = table.getColumn(0).copyToHost();
        HostColumnVector id = table.getColumn(1).copyToHost()) {
      boolean text = first.getType().equals(DType.STRING);
      for (int i = 0; i < table.getRowCount(); i++) {
        rows.add(id.getLong(i) + " " + (text ? first.getJavaString(i) : first.getLong(i)));
      }
    }
    return rows;
  }

  private void assertSameInChunks(ReadUnit unit) throws Exception {
    ReadUnit chunked = unit.chunked(CHUNK_BYTES);
    assertThat(ChunkedDecoding.of(chunked).hybrid()).isFalse();
    ScanCounters counters = new ScanCounters();
    List<String> rows = rows(chunked, counters);
    assertThat(rows).isEqualTo(rows(unit, new ScanCounters())).hasSize((int) unit.rows());
    assertThat(counters.value(Counter.CHUNKS_DECODED))
        .isGreaterThan(unit.rowGroups().length)
        .isGreaterThan(unit.rows() * Long.BYTES / CHUNK_BYTES / 2);
    assertThat(counters.value(Counter.DECODE_TIME)).isPositive();
    assertThat(counters.value(Counter.ROW_GROUPS_READ)).isEqualTo(unit.rowGroups().length);
  }

  @ParameterizedTest
  @CsvSource({
    "UNCOMPRESSED, v1, false",
    "SNAPPY, v1, true",
    "SNAPPY, v2, false",
    "ZSTD, v1, false",
    "ZSTD, v2, false",
    "ZSTD, v2, true"
  })
  void rowGroups_comeOneAfterTheOther(
      CompressionCodecName codec, String version, boolean dictionary) throws Exception {
    ParquetFile file =
        ParquetFiles.write(
            folder.resolve(codec + version + dictionary),
            ROWS,
            ROW_GROUP_BYTES,
            dictionary,
            codec,
            WriterVersion.fromString(version),
            PAGE_ROWS);
    ReadUnit unit = unit(file, version.equals("v1") ? COLUMNS : NUMBERS);
    assertThat(unit.rowGroups()).hasSizeGreaterThan(1);
    assertSameInChunks(unit);
  }

  @Test
  void rowGroupsOfSeveralFiles_comeOneAfterTheOther() throws Exception {
    List<ReadUnit> units = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      Path path = folder.resolve("coalesced-" + i);
      units.add(unit(ParquetFiles.write(path, ROWS + i, ROW_GROUP_BYTES), COLUMNS));
    }
    assertSameInChunks(CoalescedUnit.of(units));
  }
}
