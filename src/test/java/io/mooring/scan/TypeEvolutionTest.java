package io.mooring.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.mooring.testing.ForeignLists;
import io.mooring.testing.ScanResults;
import io.mooring.testing.Sessions;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
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
 * Values that files have in other types than the table: what is read, filtered and summed is as
 * with Spark's reader, and where there is a GPU, it read them.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TypeEvolutionTest {
  private static final int ROWS = 500;

  @TempDir static Path folder;
  private final long seed = System.nanoTime();
  private final Random random = new Random(seed);
  private SparkSession spark;

  @BeforeAll
  void start() {
    System.out.println("TypeEvolutionTest seed " + seed);
    spark =
        Sessions.withPlugin(
            2,
            Map.of(
                "spark.mooring.pinnedPool.size", "64m",
                "spark.mooring.scan.castTypes", "true"));
  }

  @AfterAll
  void stop() {
    spark.stop();
  }

  private Dataset<Row> read(String format, Path path, String schema) {
    return spark.read().schema(schema).format(format).load(path.toString());
  }

  private void assertSame(Path path, String schema, String... query) {
    Dataset<Row> ours = read("mooring", path, schema).selectExpr(query);
    ScanResults.assertSame(ours, read("parquet", path, schema).selectExpr(query));
    ScanResults.assertReadByGpuAlone(ours);
  }

  private void assertSameWhere(Path path, String schema, String condition) {
    // Spark's reader itself loses rows to decimals that a file's narrower type cannot hold.
    List<String> expected =
        Sessions.with(
            spark,
            "spark.sql.parquet.filterPushdown",
            "false",
            () -> ScanResults.rows(read("parquet", path, schema).where(condition)));
    Dataset<Row> ours = read("mooring", path, schema).where(condition);
    assertThat(ScanResults.rows(ours)).isEqualTo(expected).isNotEmpty();
    ScanResults.assertReadByGpuAlone(ours);
  }

  @Test
  void integersOfEveryWidthWithAndWithoutSign() throws Exception {
    Path file = folder.resolve("integers");
    List<String> layouts =
        List.of(
            "optional int32 %s (UINT_8);",
            "optional int32 %s (UINT_16);",
            "optional int32 %s (UINT_32);",
            "optional int64 %s (UINT_64);",
            "required int32 %s (INT_32);",
            "optional binary %s (JSON);",
            "optional binary %s (ENUM);",
            "optional group %s { optional int32 a (UINT_8); optional int32 b (UINT_16); }");
    new ForeignLists(random.nextLong()).write(file, layouts, ROWS);
    String schema = spark.read().parquet(file.toString()).schema().toDDL();
    assertSame(file, schema, "*");
    assertSame(file, schema, "sum(c0)", "max(c1)", "sum(c2)", "min(c3)", "max(c4)");
    assertSameWhere(file, schema, "c2 > 2147483647 and c1 > 70");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"*", "sum(i), sum(d), max(f), min(m), sum(n), sum(o)", "count(m), avg(i)"})
  void tablesThatWereWidened(String query) {
    assumeThat(org.apache.spark.package$.MODULE$.SPARK_VERSION()).doesNotStartWith("3.");
    String schema =
        "i bigint, d double, f double, m decimal(12,2), n decimal(30,3), o decimal(8,1)";
    assertSame(widened(), schema, query.split(", "));
  }

  @Test
  void filtersOfTablesThatWereWidened() {
    assumeThat(org.apache.spark.package$.MODULE$.SPARK_VERSION()).doesNotStartWith("3.");
    String schema = "i bigint, d double, f double, m decimal(12,2), n decimal(30,3)";
    assertSameWhere(widened(), schema, "i > -3000000000 and d < 1000.5 and f > 0.25");
    assertSameWhere(widened(), schema, "m < 9999999999.99 and n > -99999999999999999999.5");
  }

  /** Half of the files are as the table is, half are older. */
  private Path widened() {
    Path table = folder.resolve("widened" + random.nextLong());
    var rows = spark.range(ROWS);
    rows.selectExpr(
            "if(id % 5 = 0, null, cast(id * 7919 as int)) as i",
            "cast(id as int) as d",
            "cast(id / 7 as float) as f",
            "cast(id / 3 as decimal(7,2)) as m",
            "if(id % 3 = 0, null, cast(id / 11 as decimal(15,3))) as n",
            "cast(id as decimal(5,1)) as o")
        .write()
        .parquet(table.toString());
    rows.selectExpr(
            "id * 79190000000 as i",
            "cast(id as double) as d",
            "id / 7 as f",
            "cast(id * 10000000 as decimal(12,2)) as m",
            "cast(id / 13 as decimal(30,3)) as n",
            "cast(id as decimal(8,1)) as o")
        .write()
        .mode("append")
        .parquet(table.toString());
    return table;
  }

  @Test
  void timestampsWithoutZone() {
    Path table = folder.resolve("ntz");
    spark
        .range(ROWS)
        .selectExpr(
            "id",
            "if(id % 7 = 0, null, cast(timestamp_seconds(id * 7919 * 1009 - 1e9)"
                + " as timestamp_ntz)) as t",
            "array(cast(timestamp_micros(id * -90000000000) as timestamp_ntz)) as a")
        .write()
        .parquet(table.toString());
    String schema = "id bigint, t timestamp_ntz, a array<timestamp_ntz>";
    assertSame(table, schema, "*");
    assertSame(table, schema, "max(t)", "count(a)");
    assertSameWhere(table, schema, "t > timestamp_ntz'1980-01-01 00:00:00' and id < 400");
  }
}
