package io.mooring.spark.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mooring.stage.replicated.ReplicatedTables;
import io.mooring.testing.Interpreted;
import io.mooring.testing.Sessions;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Writes that overwrite files. Under adaptive execution Spark executes everything below the topmost
 * exchange before it deletes the old files; so must queries of which Mooring removes exchanges.
 */
class OverwritesTest {
  private static final long ROWS = 400;

  @TempDir static Path folder;
  private static final AtomicInteger TABLES = new AtomicInteger();
  private static SparkSession spark;

  @BeforeAll
  static void start() {
    spark =
        Sessions.transparent(
            folder.resolve("warehouse"), Interpreted.and(ReplicatedTables.SETTINGS));
    spark.conf().set("spark.mooring.sql.singleTaskAggregates", "always");
    spark.conf().set("spark.sql.ansi.enabled", "true");
    write("e", 2);
    table(2).write().bucketBy(4, "c").saveAsTable("buckets");
    spark.read().parquet(folder.resolve("e").toString()).createOrReplaceTempView("e");
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  private static Dataset<Row> table(int files) {
    return spark.range(0, ROWS, 1, files).selectExpr("cast(id % 37 as int) k", "id c");
  }

  private static String write(String name, int files) {
    String path = folder.resolve(name).toString();
    table(files).write().parquet(path);
    return path;
  }

  private static long rows(String path) {
    return spark.read().schema("k int, c bigint").parquet(path).count();
  }

  private static String overwrite(String path, String query) {
    return "insert overwrite directory '" + path + "' using parquet " + query;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select k, count(*) c from parquet.`%s` group by k",
        "select cast(count(*) as int) k, sum(c) c from parquet.`%s`",
        "select a.k, a.c from parquet.`%s` a join e b on a.c = b.c",
        "select b.k, b.c from e b left semi join parquet.`%s` a on a.c = b.c",
        "select a.k, a.c from parquet.`%s` a left anti join e b on a.c = b.c + 7",
        "select k, c from (select k, max(c) c from parquet.`%s` group by k) order by c",
        "select sum(k) over () k, c from parquet.`%s`",
        "select a.k, a.c from parquet.`%s` a join e b on a.c = b.c order by a.c limit 30",
        "select k, max(c) c from (select a.k, a.c from parquet.`%s` a join e b on a.c = b.c order by"
            + " a.c limit 50) group by k",
        "select k, count(*) c from (select /*+ coalesce(1) */ a.k, a.c from parquet.`%s` a join e b"
            + " on a.c = b.c) group by k",
        "select max(a.k) k, a.c from buckets a join parquet.`%s` b on a.c = b.c group by a.c",
        "select a.k, a.c from buckets a join parquet.`%s` b on a.c = b.c join e d on a.c = d.c",
        "select k, c from (select k, count(*) c from (select a.k from parquet.`%s` a join e b on a.c"
            + " = b.c) group by k) order by c limit 30",
        "select a.k, b.c from (select k, max(c) c from parquet.`%s` group by k) a join e b on a.c = b.c",
      })
  void aQueryReadsWhatItOverwrites(String query) {
    // A scan of one file has one partition, which some operators take as it is.
    for (int files = 1; files <= 2; files++) {
      String path = write("read-" + TABLES.incrementAndGet(), files);
      String select = query.formatted(path);
      long expected =
          Sessions.with(
              spark, "spark.mooring.sql.enabled", "false", () -> spark.sql(select).count());
      spark.sql(overwrite(path, select));
      assertThat(rows(path)).isEqualTo(expected).isPositive();
    }
  }

  /** Spark executes the exchanges of all inserts before the first of them writes. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "from e insert %s first select k, c where k > 3 insert %s second select k, max(c div (k - 5))"
            + " group by k",
        "from (select a.k, b.c from (select k, c div (k - 5) z from e) a join e b on a.z = b.c)"
            + " insert %s first select k, c insert %s second select k, c where k < 3",
        "from (select k, max(c div (k - 5)) c from e group by k)"
            + " insert %s first select k, c insert %s second select k, c where k < 3",
      })
  void severalInsertsOfWhichOneFailsLeaveWhatSparkLeaves(String query) {
    for (String write : List.of("into", "overwrite")) {
      String statement = query.formatted(write, write);
      assertThat(outcome(statement)).as(statement).isEqualTo(sparks(statement));
    }
  }

  @Test
  void severalInsertsReadWhatTheFirstOverwrites() {
    String statement =
        "from (select k, max(c) c from parquet.`%s/p=1` group by k) insert overwrite first select k,"
            + " c, 2 p insert into second select k, c";
    assertThat(outcome(statement)).isEqualTo(sparks(statement));
  }

  private static String sparks(String statement) {
    return Sessions.with(spark, "spark.mooring.sql.enabled", "false", () -> outcome(statement));
  }

  /**
   * Whether a statement passes, and the rows of both tables afterwards.
   *
   * @param statement with a place for the folder of the first table, if it reads it
   */
  private static String outcome(String statement) {
    spark.sql("drop table if exists first");
    spark.sql("drop table if exists second");
    String path = folder.resolve("first-" + TABLES.incrementAndGet()).toString();
    boolean partitioned = statement.contains("p=1");
    var first = table(2).selectExpr("k", "c", "1 p").drop(partitioned ? "none" : "p").write();
    (partitioned ? first.partitionBy("p") : first).option("path", path).saveAsTable("first");
    table(2).write().saveAsTable("second");
    String result = "passes";
    try {
      spark.sql(statement.formatted(path));
    } catch (Exception e) {
      result = "fails";
    }
    spark.sql("refresh table first");
    spark.sql("refresh table second");
    return result + spark.table("first").count() + " " + spark.table("second").count();
  }

  @Test
  void aWriteThatIgnoresWhatIsThereCanBeRepeated() {
    String path = folder.resolve("ignored").toString();
    String query = "select k, max(1 / (k - %s)) c from e group by k";
    assertThatThrownBy(() -> spark.sql(query.formatted("5")).write().mode("ignore").parquet(path))
        .hasStackTraceContaining("DIVIDE_BY_ZERO");
    spark.sql(query.formatted("99")).write().mode("ignore").parquet(path);
    assertThat(spark.read().parquet(path).count()).isEqualTo(37);
  }

  @Test
  void exchangesBelowTheTopmostAreRemoved() {
    spark.sql("create table written (k int, c bigint) using parquet");
    String query = "select a.k, count(*) c from e a join e b on a.c = b.c group by a.k";
    spark.sql("insert into written values (1, 1)");
    for (String write : List.of("", "insert into written ", "insert overwrite written ")) {
      String plan = spark.sql("explain " + write + query).first().getString(0);
      assertThat(plan).as(plan).contains("Replicated");
      assertThat(plan.contains("Exchange hashpartitioning(k"))
          .as(plan)
          .isEqualTo(write.contains("overwrite"));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select k, max(1 / (k - 5)) c from e group by k",
        "select 1 k, sum(1 / (k - 5)) c from e",
        "select a.k, b.c from (select k, c div (k - 5) z from e) a join e b on a.z = b.c",
        "select a.k, b.c from e a join (select c, c div (k - 5) z from e) b on a.c = b.z",
        "select distinct k, c div (k - 5) c from e",
      })
  void aQueryThatFailsLeavesTheFiles(String query) {
    String path = write("fails-" + TABLES.incrementAndGet(), 2);
    assertThatThrownBy(() -> spark.sql(overwrite(path, query)))
        .hasStackTraceContaining("DIVIDE_BY_ZERO");
    assertThat(rows(path)).isEqualTo(ROWS);
    assertThatThrownBy(() -> spark.sql(query).write().mode("overwrite").parquet(path))
        .hasStackTraceContaining("DIVIDE_BY_ZERO");
    assertThat(rows(path)).isEqualTo(ROWS);
  }
}
