package io.mooring.stage.replicated;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.stage.MooringFinalStageExec;
import io.mooring.testing.Matrix;
import io.mooring.testing.Plans;
import io.mooring.testing.RequiresGpu;
import io.mooring.testing.Sessions;
import io.mooring.testing.WithAndWithout;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.SparkPlan;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Build sides with aggregates in them: their groups are merged and finished on the GPU. */
@Tag("extended")
class GroupedBuildSidesTest {
  private static final String GROUPS = "finalGroups";
  private static final String ANSI = "spark.sql.ansi.enabled";

  @TempDir static Path folder;

  private static SparkSession spark;

  @BeforeAll
  static void start() {
    Map<String, String> settings = ReplicatedTables.SETTINGS;
    spark = Sessions.transparent(folder.resolve("warehouse"), settings);
    ReplicatedTables.create(spark, folder);
    String path = folder.resolve("sums").toString();
    spark
        .range(0, 3000, 1, 3)
        .selectExpr(
            "if(id % 7 = 0, null, id % 40) k",
            "if(id % 5 = 0, null, int(id % 11 - 5)) i",
            "if(id % 40 = 3, null, cast(id % 90 - 45 as decimal(30,2))) wide",
            "if(id % 3 = 0, null, date_add(date'2000-01-01', int(id % 100))) d",
            "if(id % 4 = 0, null, 't' || id % 60) t",
            "if(id < 6, 9223372036854775000, id) large")
        .write()
        .parquet(path);
    spark.read().parquet(path).createOrReplaceTempView("sums");
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  private static List<SparkPlan> finalStages(Dataset<Row> data) {
    return Plans.nodes(data, MooringFinalStageExec.class::isInstance);
  }

  private static WithAndWithout run(String groups, String on) {
    return WithAndWithout.run(spark, "select * from orders left join (" + groups + ") g on " + on)
        .assertOurs();
  }

  /** The aggregate of a build side that gives a column c_key. */
  @Tag("matrix")
  @ParameterizedTest
  @ValueSource(
      strings = {
        "select l_orderkey c_key, count(*), count(l_price), sum(l_suppkey), sum(l_price), avg(l_price),"
            + " min(l_ship), max(l_price) from lineitem group by l_orderkey",
        "select l_orderkey c_key, sum(l_price) s from lineitem where l_suppkey < 20 group by l_orderkey"
            + " having sum(l_price) > 500",
        "select l_orderkey + 2 c_key, 0.2 * avg(l_price) a from lineitem group by l_orderkey + 2",
        "select distinct l_partkey c_key from lineitem",
        "select l_partkey c_key, l_suppkey, count(*) n from lineitem group by l_partkey, l_suppkey",
        "select k c_key, sum(i), avg(wide), sum(wide), min(d), count(i) filter (where i > 0) from sums"
            + " group by k",
        "select k c_key, min(t), max(t), count(t) from sums group by k",
        "select n c_key, count(*) from (select l_orderkey, count(*) n from lineitem group by l_orderkey)"
            + " group by n",
        "select k c_key, max(s) from (select k, i, sum(wide) s from sums group by k, i) where s > 0"
            + " group by k having max(s) < 2000",
        "select l_partkey c_key, sum(l_price * (1 - l_discount)) r from lineitem join part on l_partkey"
            + " = p_partkey where p_type like 'PROMO%' group by l_partkey",
        "select k c_key, sum(i) s from sums group by k having sum(i) > (select avg(i) from sums)",
        "select k c_key, count(distinct i) from sums group by k",
        "select k c_key, count(distinct i), sum(wide), avg(wide), max(t) from sums group by k",
        "select max(n) c_key from (select k, count(*) n from sums group by k)",
        "select count(distinct k) c_key, sum(i) from sums join part on k = p_partkey",
        "select max(k) c_key, count(*), sum(wide) from sums where k > 1000",
        "select count(n) c_key from (select k, count(*) n from sums where k > 1000 group by k)",
        "select k c_key, sum(i) s from sums where k > 1000 group by k"
      })
  void groupsAreFinishedWhereTheyWereMade(String groups) {
    for (List<String> settings : Matrix.bothOfTwo(groups)) {
      Sessions.with(
          spark,
          Map.of("spark.sql.adaptive.enabled", settings.get(0), ANSI, settings.get(1)),
          () -> {
            WithAndWithout both = run(groups, "o_orderkey = c_key");
            List<SparkPlan> stages = finalStages(both.ours());
            assertThat(stages).as(() -> plan(both.ours())).hasSize(1);
            boolean empty = groups.contains("k > 1000");
            if (RequiresGpu.Condition.gpuIsThere() && !empty) {
              assertThat(stages.get(0).metrics().apply(GROUPS).value())
                  .as(() -> plan(both.ours()))
                  .isPositive();
            }
          });
    }
  }

  private static String plan(Dataset<Row> data) {
    return data.queryExecution().executedPlan().toString();
  }

  @Test
  void aSumThatOverflowsIsSparks() {
    String sums = "select k c_key, sum(large) s from sums group by k";
    Sessions.with(
        spark,
        Map.of(ANSI, "false"),
        () -> {
          run(sums, "o_orderkey = c_key");
        });
    String large = "select k c_key, sum(large) s from sums where large < 3000 group by k";
    Sessions.with(
        spark,
        Map.of(ANSI, "true"),
        () -> {
          run(large, "o_orderkey = c_key");
        });
  }

  @Test
  void explainShowsTheGroups() {
    String plan =
        plan(
            run(
                    "select l_orderkey c_key, sum(l_price) from lineitem group by 1",
                    "o_orderkey = c_key")
                .ours());
    assertThat(plan).contains("MooringFinalStage [HashAggregate").contains("over the groups");
  }
}
