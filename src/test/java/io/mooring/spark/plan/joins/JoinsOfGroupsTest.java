package io.mooring.spark.plan.joins;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.session.GpuAvailability;
import io.mooring.stage.MooringFinalStageExec;
import io.mooring.testing.Plans;
import io.mooring.testing.Sessions;
import java.nio.file.Path;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Which joins of groups one task computes where costs count and one executor has a GPU. Nothing is
 * executed: the session has no executor.
 */
@Tag("extended")
@Tag("forked")
class JoinsOfGroupsTest {
  private static final String MODE = "spark.mooring.sql.singleTaskAggregates";

  /** Sums of two relations by the same key. */
  private static final String GROUPS =
      "with a as (select k, sum(v) s, max(t) t from t1 join d on t1.d = d.d group by k), b as (select"
          + " k, sum(v) s, max(t) t from t2 join d on t2.d = d.d group by k) ";

  @TempDir static Path folder;

  private static SparkSession spark;

  @BeforeAll
  static void start() {
    write();
    spark = Sessions.planningForGpu(Map.of("spark.sql.autoBroadcastJoinThreshold", "2k"));
    for (String table : new String[] {"t1", "t2", "big", "d"}) {
      String schema =
          table.equals("d") ? "d bigint" : "k bigint, d bigint, v bigint, t string, f double";
      spark
          .read()
          .schema(schema)
          .parquet(folder.resolve(table).toString())
          .createOrReplaceTempView(table);
    }
  }

  /** By a session of its own, which has an executor. */
  private static void write() {
    SparkSession local = Sessions.transparent(folder.resolve("warehouse"), Map.of());
    for (String table : new String[] {"t1", "t2", "big"}) {
      local
          .range(table.equals("big") ? 400_000 : 20_000)
          .selectExpr(
              table.equals("big") ? "id k" : "id % 5000 k",
              "id % 30 d",
              "id v",
              "string(id) t",
              "double(id) f")
          .write()
          .parquet(folder.resolve(table).toString());
    }
    local.range(20).selectExpr("id d").write().parquet(folder.resolve("d").toString());
    local.stop();
  }

  @AfterAll
  static void stop() {
    spark.stop();
    GpuAvailability.clearReports();
  }

  private static void assertJoined(String query, boolean joined) {
    Dataset<Row> data = spark.sql(GROUPS + query);
    String plan = data.queryExecution().executedPlan().toString();
    boolean found =
        Plans.nodes(data, MooringFinalStageExec.class::isInstance).stream()
            .anyMatch(node -> node.simpleString(0).contains("BroadcastHashJoin"));
    assertThat(found).as(plan).isEqualTo(joined);
    assertThat(plan.contains("SortMergeJoin")).as(plan).isEqualTo(!joined);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select a.k, a.s, b.s from a join b on a.k = b.k order by a.s, a.k limit 10",
        "select a.k, a.s - b.s from a left join b on a.k = b.k and b.s > 5 order by 1, 2 limit 10",
        "select count(*) from (select k, s from a intersect select k, s from b)",
        "select count(*) from (select k from a except select k from b) where k > 5",
        "select sum(a.s) from a join b on a.t = b.t",
        "select t, count(*) n from (select a.t from a join b on a.k = b.k) group by t order by n limit 5",
        "select * from (select a.k, a.s, rank() over (partition by b.s order by a.s) r from a join b on"
            + " a.k = b.k) order by k, s limit 10",
        "select x.k, y.s from (select k, s, rank() over (order by s) r from a) x join (select s, rank()"
            + " over (order by s) r from a) y on x.r = y.r + 1 order by x.s - y.s, x.k limit 10",
        "select b.s from a join b on a.k = b.k order by a.s - b.s, a.k limit 10",
        "select a.k, x.r from a join (select * from (select k, rank() over (partition by k order by s) r from"
            + " b) where r < 3) x on a.k = x.k order by 1, 2 limit 10",
        "select x.k, b.s from (select * from (select k, rank() over (order by s) r from a) where r < 9) x join b"
            + " on x.k = b.k order by 1, 2 limit 10",
        "select k, s from a where exists (select * from b where b.s = a.s)",
        "select k, s from a where not exists (select * from b where b.s = a.s)",
        "select a.k, c.s from a join b on a.k = b.k join b c on a.k = c.k order by 1, 2 limit 3",
        "select * from (select a.k, a.s from a join b on a.k = b.k order by a.s, a.k limit 10) x left"
            + " join d on x.s > d.d",
        "select sum(a.s) from (select k, sum(s) s from (select k, v s from t1 union all select k, v from"
            + " t2) group by k) a join b on a.k = b.k",
        "select sum(b.s) from b join (select distinct k from (select k, d from t1 union all select k, d from"
            + " big) u join d on u.d = d.d) a on a.k = b.k",
        "select round(sum(a.s), 3) from (select k, avg(f) s from t1 join d on t1.d = d.d group by k) a join b on"
            + " a.k = b.k",
        "select round(sum(a.s), 3) from (select k, stddev(v) s from t1 join d on t1.d = d.d group by k) a join b"
            + " on a.k = b.k",
        "select sum(a.s) from (select double(k) k, count(*) s from t1 join d on t1.d = d.d group by 1) a join b"
            + " on a.k = b.k",
        "select round(stddev(a.s), 3) from a join b on a.k = b.k",
        "select max(a.s) from (select k, avg(v) s from t1 join d on t1.d = d.d group by k) a join b on"
            + " a.k = b.k",
        "select a.k, a.s, b.s from a join b on a.k = b.k order by double(a.s), a.k limit 10",
        "select a.k, round(a.s / b.s, 2) r from a join b on a.k = b.k order by r desc, 1 limit 10"
      })
  void joinOfGroups_belowWhatLeavesFewRows_isInOneTask(String query) {
    assertJoined(query, true);
  }

  /** How many rows there will be is unknown, or the GPU would not go on with them. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "select a.k, a.s, b.s from a join b on a.k = b.k",
        "select a.k, a.s, b.s from a join b on a.k = b.k order by a.s",
        "select k, s from (select k, sum(v) s from big join d on big.d = d.d group by k) a where exists (select * from b where"
            + " b.s = a.s)",
        "select a.k, a.s, b.s from a join b on a.k = b.k order by cast(a.t as binary), a.k limit 10",
        "select a.k, a.s, b.s from a full join b on a.k = b.k order by a.s, a.k limit 10",
        "select * from (select a.k, a.s, row_number() over (partition by b.s order by a.s) r from a join b"
            + " on a.k = b.k) order by k, s limit 10",
        "select a.k, regexp_replace(b.t, 'x', a.t) r from a join b on a.k = b.k order by 1, 2 limit 10",
        "select a.k, a.s, b.s from a join b on a.k = b.k order by a.s, a.k limit 100000",
        "select a.k, a.s from (select k, regexp_replace(max(t), 'x', min(t)) s from t1 join d on t1.d = d.d"
            + " group by k) a join b on a.k = b.k order by 1 limit 10",
        "select a.k, b.s from (select k, sum(v) s from (select k, v from t1 union all select"
            + " int(initcap(t)) k, v from t2) group by k) a join b on a.k = b.k order by 2, 1 limit 10",
        "select big.k, s from big join (select k, sum(v) s from (select k, v from t1 union all select"
            + " int(initcap(t)) k, v from t2) group by k) a on big.k = a.k",
        "select sum(a.s) from (select k, try_sum(v) s from t1 join d on t1.d = d.d group by k) a join b on"
            + " a.k = b.k",
        "select first(a.s) from a join b on a.k = b.k",
        "select max_by(a.s, b.s) from a join b on a.k = b.k"
      })
  void joinOfGroups_elsewhere_isSparks(String query) {
    assertJoined(query, false);
  }

  /** The stages below a union would not share the broadcasts of joins above it. */
  @Test
  void joinWithGroupsOfAUnion_withoutReuse_isSparks() {
    String query =
        "select sum(b.s) from b join (select k, sum(v) s from (select k, d, v from t1 union all select k, d, v"
            + " from t2) u join d on u.d = d.d group by k) a on a.k = b.k";
    assertJoined(query, true);
    Sessions.with(spark, "spark.sql.exchange.reuse", "false", () -> assertJoined(query, false));
  }

  /** Each of two settings of a session turns it off. */
  @ParameterizedTest
  @ValueSource(strings = {MODE, "spark.mooring.sql.replicatedJoins"})
  void joinOfGroups_turnedOff_isSparks(String setting) {
    String query = "select a.k, a.s, b.s from a join b on a.k = b.k order by a.s, a.k limit 10";
    Sessions.with(spark, setting, "never", () -> assertJoined(query, false));
    assertJoined(query, true);
  }
}
