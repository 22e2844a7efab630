package io.mooring.stage;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.testing.Interpreted;
import io.mooring.testing.Plans;
import io.mooring.testing.Sessions;
import io.mooring.testing.WithAndWithout;
import java.nio.file.Path;
import java.util.Map;
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
 * Queries in which a column would raise an error for rows for which Spark's generated code never
 * computes it: joins and filters above leave them out.
 */
class LateColumnsTest {
  /** Spark rounds its negation to 34 digits, which gives 10^38. */
  private static final String NINES =
      "cast('99999999999999999999999999999999999999' as decimal(38))";

  @TempDir static Path folder;

  private static SparkSession spark;

  @BeforeAll
  static void start() {
    Map<String, String> settings =
        Map.of(
            "spark.sql.ansi.enabled", "true",
            "spark.sql.adaptive.enabled", "false",
            "spark.sql.shuffle.partitions", "2",
            "spark.mooring.pinnedPool.size", "64m",
            "spark.mooring.sql.singleTaskAggregates", "always",
            "spark.mooring.sql.replicatedJoins", "always");
    spark = Sessions.transparent(folder.resolve("warehouse"), Interpreted.compiledAnd(settings));
    String dirty = " if(id % 10 = 7, 0, id % 5 + 1) x, if(id % 10 = 7, 'bad', string(id)) s from ";
    write("t", "select id k, cast(id / 8 as int) e8," + dirty + "range(40)");
    write("big", "select id % 60 k," + dirty + "range(600)");
    write("m", "select id k, array(id) arr, id w from range(40) where id % 10 != 7");
    write("mid", "select id k, id w from range(60) where id % 10 != 7");
    write("flt", "select id k, id % 3 y, id w from range(20)");
    write("few", "select id k, id w from range(20) where id % 10 != 7");
    write("empty", "select id k, id y from range(0)");
  }

  private static void write(String table, String query) {
    String path = folder.resolve(table).toString();
    spark.sql(query).repartition(2).write().parquet(path);
    spark.read().parquet(path).createOrReplaceTempView(table);
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select /*+ broadcast(b, c) */ a.e, b.arr from (select k, 1 div x e from t) a join m b on a.k = b.k",
        "select /*+ broadcast(b, c) */ a.e, b.arr from (select k, cast(s as int) e from t) a join m b on a.k = b.k",
        "select a.e, b.y from (select k, 1 div x e from t) a join empty b on a.k < b.k",
        "select a.e from (select k, 1 div x e from t) a left semi join flt b on a.k * b.k < 0",
        "select /*+ broadcast(b, c) */ a.e, b.arr, c.w from (select k, 1 div x e from t) a join flt c on a.k = c.k"
            + " join m b on a.k = b.k",
        "select g.e, b.w from (select k, 5 div max(x) e from big group by k) g"
            + " join (select * from mid where k < 3) b on g.k < b.k",
        "select /*+ broadcast(b) */ a.e, b.arr from (select k, -if(x = 0, "
            + NINES
            + ", k) e from t) a join m b on a.k = b.k"
      })
  void columnsAreComputedAboveTheStage(String query) {
    WithAndWithout.run(spark, query).assertOurs();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select g.e, m.w from (select k, 1 div sum(x) e from big group by k) g join few m on g.k = m.k",
        "select sum(g.e) from (select k, 1 div sum(x) e from big group by k) g join few m on g.k = m.k"
      })
  void groupsAreStreamed(String query) {
    WithAndWithout.run(spark, query).assertOurs();
  }

  /** No exchange divides a limit from the join above it. */
  @Test
  void groupsAreLimited() {
    Sessions.with(
        spark,
        "spark.sql.shuffle.partitions",
        "1",
        () ->
            WithAndWithout.run(
                    spark,
                    "select /*+ broadcast(b) */ g.e, b.arr from (select k, 1 div min(x) e from big"
                        + " group by k limit 1000) g join m b on g.k = b.k")
                .assertOurs());
  }

  @Test
  void joinsStayInTheirOrder() {
    WithAndWithout.run(
            spark,
            "select a.k, mid.w, o.w from (select k, element_at(array(1, 2, 3, 4, 5, 6), int(x)) e"
                + " from big) a join mid on a.k = mid.k"
                + " join (select * from flt where y > 0) o on a.e = o.k")
        .assertOurs();
  }

  /** An exchange, a sort or an aggregate computes all columns anyway. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "select k + 1 a, s from t",
        "select k + 1 a, s from t order by a",
        "select k + 1 a, collect_list(s) from t group by k + 1",
        "select /*+ broadcast(b) */ a.e, b.w from (select k, k + 1 e from t) a join mid b on a.k = b.k"
      })
  void columnsAreComputedInTheStage(String query) {
    Dataset<Row> ours = WithAndWithout.run(spark, query).assertOurs().ours();
    assertThat(Plans.count(ours, "MooringStage")).isEqualTo(1);
    assertThat(ours.queryExecution().executedPlan().toString())
        .doesNotContain("a column may raise an error");
  }

  @Test
  void plan_saysWhereTheStageEnds() {
    Dataset<Row> ours =
        WithAndWithout.run(
                spark,
                "select /*+ broadcast(b, f) */ a.e, b.arr"
                    + " from (select t.k, 1 div x + f.w e from t join flt f on t.k = f.k) a"
                    + " join m b on a.k = b.k")
            .ours();
    assertThat(ours.queryExecution().executedPlan().toString())
        .contains(
            "MooringStage [BroadcastHashJoin] ends below: Project: a column may raise an error for"
                + " rows that are left out above");
  }
}
