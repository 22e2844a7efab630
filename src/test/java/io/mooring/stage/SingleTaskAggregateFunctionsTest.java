package io.mooring.stage;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.stage.replicated.ReplicatedTables;
import io.mooring.testing.Matrix;
import io.mooring.testing.Plans;
import io.mooring.testing.RequiresGpu;
import io.mooring.testing.WithAndWithout;
import java.nio.file.Path;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Which aggregate functions and grouping keys one task computes without an exchange, such as
 * averages, and minima and maxima of floating-point numbers. Others, such as sums of doubles, are
 * exchanged as in Spark's plan.
 */
@Tag("extended")
class SingleTaskAggregateFunctionsTest {
  @TempDir static Path folder;

  private static SparkSession spark;

  @BeforeAll
  static void start() {
    spark =
        ReplicatedTables.session(
            folder, Map.of("spark.mooring.sql.singleTaskAggregates", "always"));
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  /** Spark adds up doubles for averages, and the sums of integers are exact in them. */
  @Tag("matrix")
  @ParameterizedTest
  @ValueSource(
      strings = {
        "select l_suppkey, avg(int(l_partkey)), avg(smallint(l_partkey % 100)) from lineitem group by 1",
        "select l_suppkey, avg(int(l_partkey)) filter (where l_partkey < 0) from lineitem group by 1",
        "select avg(int(l_partkey)), avg(tinyint(l_suppkey % 3)) from lineitem where l_price * 2 > 30",
        "select avg(int(l_partkey)), count(*) from lineitem where l_price * 2 > 1e9",
        "select l_suppkey, avg(if(l_partkey % 3 = 0, null, int(l_partkey))) + 1 a from lineitem group by 1"
            + " having a > 5 order by a desc, 1 limit 10",
        "select l_suppkey, avg(bigint(l_partkey)) a, max(double(l_price)), min(float(l_partkey)) from lineitem"
            + " group by 1 having avg(bigint(l_partkey)) > 3",
        "select l_suppkey, sum(l_partkey / 8D), avg(float(l_partkey) / 4F) a from lineitem group by 1 having"
            + " avg(float(l_partkey) / 4F) > 3",
        "select l_suppkey, sum(double(l_partkey)) s from lineitem group by 1 order by s desc, 1 limit 9",
        "select l_suppkey, sum(l_partkey * -0.0D), avg(l_partkey * -0.0D), stddev(l_partkey * -0.0D) from lineitem"
            + " group by 1",
        "select sum(l_partkey * -0.0D), avg(l_partkey * -0.0D), var_pop(l_partkey * -0.0D) from lineitem",
        "select float(l_suppkey), count(*), sum(l_partkey / 8D) from lineitem group by 1",
        "select double(if(l_suppkey % 3 = 0, -0.0, l_suppkey)) k, count(*) from lineitem group by 1 order by 1",
        "select l_suppkey, count(distinct double(l_partkey)) from lineitem group by 1",
        "select l_suppkey, round(stddev(l_price) * 0.318309886183D, 3), round(var_pop(l_partkey) *"
            + " 0.318309886183D, 3) from lineitem group by 1",
        "select l_partkey, stddev_samp(l_suppkey), variance(l_suppkey - l_suppkey) from lineitem group by 1"
            + " having count(*) = 1",
        "select round(stddev_pop(l_price) * 0.318309886183D, 3), variance(1), stddev(null) from lineitem",
        "select stddev(l_price), sum(double(l_price)), avg(double(l_price)) from lineitem where l_price * 2 > 1e9",
        "select max(d), min(d), max(f), count(d) from (select if(l_partkey = 3, double('NaN'),"
            + " if(l_partkey = 5, double('-inf'), double(l_price))) d, float(l_partkey) f from lineitem)",
        "select l_suppkey, cast(avg(bigint(l_partkey)) as decimal(12,4)) a from lineitem group by 1 order by"
            + " avg(bigint(l_partkey)) desc, 1 limit 7",
        "select l_suppkey, avg(cast(l_price as decimal(7,2))), avg(cast(l_discount as decimal(11,4)))"
            + " from lineitem group by 1",
        "select avg(cast(l_price as decimal(9,2))), avg(cast(-l_price as decimal(6,1))) from lineitem"
            + " where l_partkey < 0 or l_price * 2 > 30",
        "select avg(cast(l_price as decimal(9,2))) from lineitem where l_price * 2 > 1e9",
        "select l_suppkey, avg(cast(if(l_partkey % 3 = 0, null, l_price) as decimal(8,3))) a from lineitem"
            + " group by 1 having a > 5 order by a desc, 1 limit 10"
      })
  void aggregates_overFloatingPointNumbers_haveNoExchange(String query) {
    Matrix.withAdaptiveOrWithout(
        spark,
        query,
        () -> {
          WithAndWithout both = WithAndWithout.run(spark, query).assertOurs();
          assertThat(Stages.finalOf(both.ours())).as(Stages.plan(both.ours())).hasSize(1);
          assertThat(Plans.count(both.ours(), "Exchange")).isZero();
          if (RequiresGpu.Condition.gpuIsThere()) {
            Stages.assertOnGpuAlone(both.ours());
          }
        });
  }

  /** Values with the order of rows, and functions that stages do not have. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "select l_suppkey, first(l_price) is null from lineitem group by 1",
        "select l_suppkey, max_by(l_price, l_partkey) is null from lineitem group by 1",
        "select l_suppkey, try_sum(l_partkey) from lineitem group by 1"
      })
  void functionsAndKeys_thatOneTaskDoesNotFinish_areExchanged(String query) {
    Dataset<Row> data = spark.sql(query);
    data.collectAsList();
    assertThat(Stages.finalOf(data)).isEmpty();
    assertThat(Plans.count(data, "Exchange")).isPositive();
  }
}
