package io.mooring.stage;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.parquet.unit.ScanCounters;
import io.mooring.scan.fallback.FallbackPartition;
import io.mooring.testing.Sessions;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.apache.spark.TaskContext$;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The partial group of a task that has no rows, which costs no operator of Spark's. */
class GroupOfNothingTest {
  @TempDir static Path folder;

  private static SparkSession spark;

  @BeforeAll
  static void start() {
    spark =
        Sessions.transparent(
            folder.resolve("warehouse"),
            Map.of(
                "spark.mooring.pinnedPool.size", "0",
                "spark.mooring.sql.pushdown", "never",
                "spark.sql.adaptive.enabled", "false"));
    String path = folder.resolve("rows").toString();
    spark
        .range(10)
        .selectExpr(
            "id l",
            "cast(id as int) i",
            "id * 1.5D d",
            "cast(id as float) f",
            "cast(id as decimal(7,2)) small",
            "cast(id as decimal(12,2)) middle",
            "cast(id as decimal(38,10)) wide",
            "string(id) s",
            "date_add(date'2000-01-01', cast(id as int)) day",
            "timestamp_micros(id) at",
            "id > 5 b")
        .write()
        .parquet(path);
    spark.read().parquet(path).createOrReplaceTempView("rows");
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "count(*)",
        "count(i), count(i, s)",
        "sum(i), sum(l), sum(d), sum(f)",
        "sum(small), sum(middle), sum(wide)",
        "avg(i), avg(l), avg(d)",
        "avg(small), avg(middle), avg(wide)",
        "min(i), max(s), min(day), max(at), min(b), max(wide), min(d)",
        "stddev(d), stddev_pop(d), variance(d), var_pop(d)",
        "sum(i) filter (where b), avg(middle) filter (where not b), count(*), max(s), sum(wide)"
      })
  void groupIsSparksOwn(String functions) {
    for (String ansi : List.of("true", "false")) {
      Sessions.with(spark, "spark.sql.ansi.enabled", ansi, () -> assertSame(functions));
    }
  }

  private static void assertSame(String functions) {
    Dataset<Row> data = spark.sql("select " + functions + " from rows where l * 2 < 0");
    MooringStageExec stage = Stages.of(data).get(0);
    InternalRow[] sparks = (InternalRow[]) stage.executeCollect();
    StageRdd rows = (StageRdd) stage.execute();
    Iterator<InternalRow> ours =
        rows.work(rows.partitions()[0], TaskContext$.MODULE$.empty())
            .bySpark(new FallbackPartition(List.of(), new ScanCounters()));
    InternalRow group = ours.next();
    assertThat(ours).isExhausted();
    assertThat(sparks).isNotEmpty();
    assertThat(Arrays.stream(sparks)).allMatch(group::equals);
  }
}
