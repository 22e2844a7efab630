package io.mooring.datasource;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.memory.PinnedPool;
import io.mooring.testing.Interpreted;
import io.mooring.testing.RandomTables;
import io.mooring.testing.RequiresGpu;
import io.mooring.testing.ScanResults;
import io.mooring.testing.Sessions;
import java.nio.file.Path;
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

/**
 * The table against Spark's own reader, on the same files. With a GPU the GPU must have read them.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MooringScanTest {
  private static final int ROWS = 2_000;

  @TempDir static Path folder;
  private SparkSession spark;
  private String allTypes;

  @BeforeAll
  void start() {
    Map<String, String> settings = Map.of("spark.mooring.pinnedPool.size", "256m");
    spark = Sessions.withPlugin(2, Interpreted.compiledAnd(settings));
    allTypes = folder.resolve("all-types").toString();
    long seed = System.nanoTime();
    System.out.println("MooringScanTest seed " + seed);
    spark
        .createDataFrame(new RandomTables(seed).rows(ROWS), RandomTables.ALL_TYPES)
        .repartition(3)
        .write()
        .option("parquet.block.size", 64 << 10)
        .parquet(allTypes);
  }

  @AfterAll
  void stop() {
    spark.stop();
  }

  private Dataset<Row> ours(String... paths) {
    return spark.read().format("mooring").load(paths);
  }

  private void assertSame(Dataset<Row> ours, Dataset<Row> sparks) {
    ScanResults.assertSame(ours, sparks);
    ScanResults.assertReadByGpuIfThereIsOne(ours);
  }

  @Test
  void everyTypeEqualsSparksOwnReader() {
    assertSame(ours(allTypes), spark.read().parquet(allTypes));
  }

  @ParameterizedTest
  @ValueSource(strings = {"none", "snappy", "gzip", "zstd"})
  void everyCodecEqualsSparksOwnReader(String codec) {
    String path = folder.resolve("codec-" + codec).toString();
    spark.read().parquet(allTypes).write().option("compression", codec).parquet(path);
    assertSame(ours(path), spark.read().parquet(path));
  }

  @ParameterizedTest
  @ValueSource(strings = {"INT96", "TIMESTAMP_MICROS", "TIMESTAMP_MILLIS"})
  void everyKindOfTimestampEqualsSparksOwnReader(String kind) {
    String path = folder.resolve("timestamp-" + kind).toString();
    spark.conf().set("spark.sql.parquet.outputTimestampType", kind);
    spark.read().parquet(allTypes).select("a_timestamp").write().parquet(path);
    assertSame(ours(path), spark.read().parquet(path));
  }

  @Test
  void aFewColumnsInAnotherOrderAreReadAlone() {
    Dataset<Row> few = ours(allTypes).select("a_string", "an_int", "a_decimal128");
    assertSame(few, spark.read().parquet(allTypes).select("a_string", "an_int", "a_decimal128"));
    assertThat(few.queryExecution().executedPlan().toString())
        .contains("columns [an_int, a_decimal128, a_string]");
  }

  @Test
  void filtersAndAggregatesAboveTheScanEqualSparks() {
    for (String query :
        List.of(
            "select count(*) from %s",
            "select count(a_string), sum(an_int), avg(a_double), min(a_date) from %s where a_long > 0",
            "select a_byte, max(a_decimal64), count(*) from %s group by a_byte",
            "select * from %s where a_string like 'a%%' and a_boolean")) {
      Dataset<Row> ours = spark.sql(String.format(query, "mooring.`" + allTypes + "`"));
      ScanResults.assertSame(ours, spark.sql(String.format(query, "parquet.`" + allTypes + "`")));
    }
  }

  @Test
  void sqlOnAPathGoesThroughOurTable() {
    Dataset<Row> sql = spark.sql("select * from mooring.`" + allTypes + "`");
    assertThat(sql.queryExecution().executedPlan().toString()).contains("MooringScan");
    assertSame(sql, spark.read().parquet(allTypes));
  }

  @Test
  void partitionColumnsAreReadAndPruned() {
    String path = folder.resolve("partitioned").toString();
    spark
        .range(1000)
        .selectExpr("id", "id % 7 as p", "cast(id % 3 as string) as q")
        .coalesce(1)
        .write()
        .partitionBy("p", "q")
        .parquet(path);
    assertSame(
        ours(path).select("q", "id", "p"), spark.read().parquet(path).select("q", "id", "p"));
    Dataset<Row> pruned = ours(path).where("p = 3 and q in ('1', '2')");
    assertSame(pruned, spark.read().parquet(path).where("p = 3 and q in ('1', '2')"));
    assertThat(ScanResults.filesRead(pruned)).isEqualTo(2);
    assertSame(ours(path).select("p"), spark.read().parquet(path).select("p"));
  }

  @Test
  void aColumnThatAFileLacksIsNull() {
    String path = folder.resolve("evolved").toString();
    spark.range(100).selectExpr("id").write().parquet(path);
    String schema = "id bigint, later string, sooner int";
    assertSame(
        spark.read().schema(schema).format("mooring").load(path),
        spark.read().schema(schema).parquet(path));
  }

  @Test
  void typesBeyondOursAreReadBySpark() {
    String path = folder.resolve("intervals").toString();
    spark
        .range(500)
        .selectExpr("id", "array(interval '1' day * id) as list", "named_struct('x', id) as record")
        .write()
        .parquet(path);
    ScanResults.assertSame(ours(path), spark.read().parquet(path));
    assertSame(ours(path).select("id"), spark.read().parquet(path).select("id"));
  }

  @Test
  void anEmptyTableHasItsSchema() {
    String path = folder.resolve("empty").toString();
    spark.read().parquet(allTypes).where("false").write().parquet(path);
    ScanResults.assertSame(ours(path), spark.read().parquet(path));
  }

  @Test
  void writingGoesToParquetFiles() {
    String path = folder.resolve("written").toString();
    spark.range(10).write().format("mooring").save(path);
    ScanResults.assertSame(ours(path), spark.read().parquet(path));
  }

  @Test
  @RequiresGpu
  void theGpuReadEveryFile() {
    Dataset<Row> all = ours(allTypes);
    ScanResults.rows(all);
    assertThat(ScanResults.metric(all, "cpuFiles")).isZero();
    // The pool is as the first session of this JVM has started it.
    String buffers = PinnedPool.stats().capacityBytes() > 0 ? "pinnedBytes" : "pageableBytes";
    assertThat(ScanResults.metric(all, buffers)).isPositive();
  }
}
