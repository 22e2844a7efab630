package io.mooring.scan.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mooring.parquet.footer.UnreadableOnGpuException;
import io.mooring.parquet.source.ParquetFile;
import io.mooring.parquet.unit.ReadUnit;
import io.mooring.scan.prune.PruningFilters;
import io.mooring.scan.split.FileSplit;
import io.mooring.session.ReadSettings;
import io.mooring.testing.RandomTables;
import io.mooring.testing.ScanResults;
import io.mooring.testing.Sessions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.MetadataBuilder;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the GPU is given to read; needs none itself. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FilePlannerTest {
  @TempDir static Path folder;
  private SparkSession spark;

  @BeforeAll
  void start() {
    spark = Sessions.withPlugin(2, Map.of("spark.mooring.pinnedPool.size", "0"));
  }

  @AfterAll
  void stop() {
    spark.stop();
  }

  private FileSplit written(String name, Dataset<?> data, String... options) throws IOException {
    Path table = folder.resolve(name);
    var writer = data.coalesce(1).write();
    for (int i = 0; i < options.length; i += 2) {
      writer.option(options[i], options[i + 1]);
    }
    writer.parquet(table.toString());
    Path file = ScanResults.firstParquetFile(table);
    String path = "file:" + file;
    long bytes = Files.size(file);
    return new FileSplit(
        new ParquetFile(path, bytes, 0), path, 0, bytes, InternalRow.empty(), new String[0]);
  }

  private FilePlan plan(FileSplit split, String schema) throws UnreadableOnGpuException {
    return plan(split, StructType.fromDDL(schema));
  }

  private FilePlan plan(FileSplit split, StructType schema) throws UnreadableOnGpuException {
    ReadSettings settings = ReadSettings.of(spark, Map.of());
    PruningFilters none = PruningFilters.of(spark.sessionState().conf(), List.of());
    return new FilePlanner(new FileSchema(schema, ""), settings, none, new Configuration())
        .plan(split);
  }

  private void assertSparks(FileSplit split, String schema, String reason) {
    assertThatThrownBy(() -> plan(split, schema))
        .isInstanceOf(UnreadableOnGpuException.class)
        .hasMessageContaining(reason);
  }

  @Test
  void everyTypeThatCudfDecodesIsPlannedForTheGpu() throws Exception {
    var rows = new RandomTables(1).rows(300);
    FileSplit split = written("all", spark.createDataFrame(rows, RandomTables.ALL_TYPES));
    FilePlan plan = plan(split, RandomTables.ALL_TYPES);
    assertThat(plan.columns().names()).containsExactly(RandomTables.ALL_TYPES.fieldNames());
    assertThat(plan.rows()).isEqualTo(300);
    assertThat(plan.units().stream().mapToLong(ReadUnit::rows).sum()).isEqualTo(300);
  }

  @Test
  void pathsWithBlanksAndPercentSignsAreFound() throws Exception {
    FileSplit split = written("a b%20c #d", spark.range(10));
    assertThat(plan(split, "id bigint").rows()).isEqualTo(10);
  }

  @ParameterizedTest
  @ValueSource(strings = {"none", "snappy", "gzip", "zstd", "lz4_raw"})
  void codecsOfCudfArePlannedForTheGpu(String codec) throws Exception {
    FileSplit split = written("codec-" + codec, spark.range(10), "compression", codec);
    assertThat(plan(split, "id bigint").units()).hasSize(1);
  }

  @Test
  void otherCodecsAreSparks() throws Exception {
    FileSplit split = written("codec-lz4", spark.range(10), "compression", "lz4");
    assertSparks(split, "id bigint", "LZ4");
  }

  @Test
  void missingColumnsAreNullsAndOrderIsTheQuerys() throws Exception {
    FileSplit split = written("order", spark.range(10).selectExpr("id as a", "id as b"));
    FilePlan plan = plan(split, "b bigint, none int, a bigint");
    assertThat(plan.columns().names()).containsExactly("b", "a");
    assertThat(plan.columns().decodedAt()).containsExactly(0, -1, 1);
  }

  @Test
  void withoutAnyColumnOfTheFileItsRowsAreCounted() throws Exception {
    FileSplit split = written("count", spark.range(10));
    assertThat(plan(split, "none int").units()).isEmpty();
    assertThat(plan(split, "none int").rows()).isEqualTo(10);
  }

  @Test
  void columnsAreFoundInTheCaseSensitivityOfTheSession() throws Exception {
    FileSplit split = written("case", spark.range(10).selectExpr("id as Name"));
    assertThat(plan(split, "nAME bigint").columns().names()).containsExactly("Name");
    spark.conf().set("spark.sql.caseSensitive", "true");
    try {
      assertThat(plan(split, "nAME bigint").columns().names()).isEmpty();
      FileSplit both = written("both", spark.range(10).selectExpr("id as x", "id as X"));
      assertThat(plan(both, "X bigint").columns().names()).containsExactly("X");
      spark.conf().set("spark.sql.caseSensitive", "false");
      assertSparks(both, "x bigint", "ambiguous");
    } finally {
      spark.conf().unset("spark.sql.caseSensitive");
    }
  }

  @Test
  void whatNeedsSparksRulesIsSparks() throws Exception {
    FileSplit split =
        written("odd", spark.range(10).selectExpr("id", "id as `a.b`", "array(id) as list"));
    assertSparks(split, "`a.b` bigint", "dot");
    assertSparks(split, "list bigint", "column list is required group (LIST)");
    assertSparks(split, "id int", "column id is");
    var metadata = new MetadataBuilder().putString("EXISTS_DEFAULT", "7").build();
    StructType defaulted = new StructType().add("later", DataTypes.LongType, true, metadata);
    assertThatThrownBy(() -> plan(split, defaulted)).hasMessageContaining("default value");
  }

  @Test
  void oldCalendarsAreSparks() throws Exception {
    var dates = spark.sql("select date'1500-01-01' as d, timestamp'1500-01-01 00:00:00' as t");
    spark.conf().set("spark.sql.parquet.datetimeRebaseModeInWrite", "LEGACY");
    spark.conf().set("spark.sql.parquet.outputTimestampType", "TIMESTAMP_MICROS");
    try {
      FileSplit legacy = written("legacy", dates);
      assertSparks(legacy, "d date", "Julian");
      assertSparks(legacy, "t timestamp", "Julian");
      spark.conf().set("spark.sql.parquet.datetimeRebaseModeInWrite", "CORRECTED");
      assertThat(plan(written("corrected", dates), "d date, t timestamp").units()).hasSize(1);
    } finally {
      spark.conf().unset("spark.sql.parquet.datetimeRebaseModeInWrite");
      spark.conf().unset("spark.sql.parquet.outputTimestampType");
    }
  }

  @Test
  void twoSplitsShareTheRowGroupsOfAFile() throws Exception {
    FileSplit whole = written("many", spark.range(50_000), "parquet.block.size", "16384");
    long half = whole.length() / 2;
    long first = plan(whole.withRange(0, half), "id bigint").rows();
    long second = plan(whole.withRange(half, whole.length() - half), "id bigint").rows();
    assertThat(first).isPositive();
    assertThat(second).isPositive();
    assertThat(first + second).isEqualTo(50_000);
  }
}
