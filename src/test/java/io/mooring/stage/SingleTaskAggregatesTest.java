package io.mooring.stage;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.stage.replicated.ReplicatedTables;
import io.mooring.testing.Matrix;
import io.mooring.testing.Plans;
import io.mooring.testing.RequiresGpu;
import io.mooring.testing.ScanResults;
import io.mooring.testing.Sessions;
import io.mooring.testing.WithAndWithout;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.QueryExecution;
import org.apache.spark.sql.execution.SparkPlan;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Aggregates that one task computes as a whole: rows are Spark's, and there is no exchange. */
class SingleTaskAggregatesTest {
  private static final String MODE = "spark.mooring.sql.singleTaskAggregates";
  private static final String ADAPTIVE = "spark.sql.adaptive.enabled";
  private static final String REVENUE = "sum(l_price * (1 - l_discount)) revenue";

  @TempDir static Path folder;

  private static SparkSession spark;

  @BeforeAll
  static void start() {
    spark = ReplicatedTables.session(folder, Map.of(MODE, "always"));
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  /** With adaptive execution and without, or one of both. */
  private static void inModes(String query, Runnable check) {
    for (String adaptive : Matrix.both(query)) {
      Sessions.with(spark, ADAPTIVE, adaptive, check);
    }
  }

  private static List<SparkPlan> finalStages(Dataset<Row> data) {
    return Plans.nodes(data, MooringFinalStageExec.class::isInstance);
  }

  private static String plan(Dataset<Row> data) {
    return data.queryExecution().executedPlan().toString();
  }

  /** Queries of TPC-H's shapes: name, exchanges, and of Spark's own plan. */
  @Tag("matrix")
  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "q10, 0", "q11, 0", "q13, 0", "q15, 1", "q16, 0", "q18, 0",
  })
  void theAggregatesOfAQueryHaveNoExchange(String name, int exchanges) {
    inModes(
        name,
        () -> {
          WithAndWithout both = WithAndWithout.run(spark, query(name)).assertOurs();
          String plan = plan(both.ours());
          assertThat(finalStages(both.ours())).as(plan).isNotEmpty();
          assertThat(Plans.count(both.ours(), "Exchange")).as(plan).isEqualTo(exchanges);
          assertThat(Plans.count(both.sparks(), "Exchange")).isGreaterThan(exchanges + 1);
          if (RequiresGpu.Condition.gpuIsThere()) {
            Stages.assertOnGpuAlone(both.ours());
          }
        });
  }

  /** The first rows of a sorted result leave the GPU, in their order. */
  @Tag("matrix")
  @ParameterizedTest
  @ValueSource(
      strings = {
        "order by n desc, k limit 5",
        "order by m nulls last, k desc limit 11",
        "order by m desc nulls first, k nulls last limit 400",
        "order by m desc, k limit 3 offset 4",
        "order by t, k limit 10 offset 1000000",
        "order by d nulls first, t desc, n, k limit 20"
      })
  void theFirstRowsComeInOrder(String order) {
    String query =
        "select k, n, m, t, k + 1 next from (select o_custkey k, count(*) n, max(if(o_orderkey % 3 = 0,"
            + " null, o_orderkey % 50)) m, min(o_priority) t, max(o_date) d from orders group by"
            + " o_custkey) "
            + order;
    inModes(
        order,
        () -> {
          Dataset<Row> ours = spark.sql(query);
          List<Row> rows = ours.collectAsList();
          assertThat(finalStages(ours))
              .singleElement()
              .asString()
              .contains("Aggregate, TakeOrderedAndProject]");
          assertThat(Plans.count(ours, "Exchange")).isZero();
          Sessions.with(
              spark,
              "spark.mooring.sql.enabled",
              "false",
              () -> assertThat(rows).isEqualTo(spark.sql(query).collectAsList()));
          if (RequiresGpu.Condition.gpuIsThere()) {
            Stages.assertOnGpuAlone(ours);
          }
        });
  }

  /**
   * Hash tables of a GPU give rows in another order when a task is repeated, which an RDD's
   * repartition has to know.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "select l_price * 2 from lineitem where l_partkey > 5 | DETERMINATE",
        "select l_suppkey, count(*) from lineitem group by 1 | UNORDERED",
        "select l_price, o_date from lineitem join orders on l_orderkey = o_orderkey | UNORDERED",
        "select l_price, rand() r from lineitem | DETERMINATE",
      })
  void theOrderOfRowsIsDeclared(String query, String level) {
    Sessions.with(
        spark,
        ADAPTIVE,
        "false",
        () -> {
          QueryExecution execution = spark.sql(query).queryExecution();
          assertThat(execution.toRdd().outputDeterministicLevel()).hasToString(level);
        });
  }

  /** Spark holds a node's lock while it waits for sub-queries, whose plans ask for metrics. */
  @Test
  void metricsAreReadWhileANodeIsLocked() throws Exception {
    Dataset<Row> data =
        spark.sql(
            "select o_priority, count(*) from lineitem join orders on l_orderkey = o_orderkey group by 1");
    assertThat(data.collectAsList()).isNotEmpty();
    List<SparkPlan> nodes =
        Plans.nodes(data, node -> node.getClass().getPackageName().startsWith("io.mooring.stage"));
    assertThat(nodes)
        .extracting(SparkPlan::nodeName)
        .contains("MooringFinalStage", "MooringStage", "Replicated");
    for (SparkPlan node : nodes) {
      synchronized (node) {
        assertThat(CompletableFuture.supplyAsync(node::metrics).get(1, TimeUnit.MINUTES))
            .isNotNull();
      }
    }
  }

  /** Whatever reads the single partition: writes, caches, repartitions, joins of two sides. */
  @Tag("matrix")
  @ParameterizedTest
  @ValueSource(
      strings = {
        "select /*+ repartition(3) */ l_suppkey, count(*) from lineitem group by l_suppkey",
        "select /*+ coalesce(2) */ l_suppkey, count(*) from lineitem group by l_suppkey",
        "select /*+ merge(b) */ a.k, n, m from (select l_suppkey k, count(*) n from lineitem group by 1) a"
            + " join (select o_custkey k, max(o_date) m from orders group by 1) b on a.k = b.k",
        "select /*+ merge(s) */ k, n, s_nationkey from (select l_suppkey k, count(*) n from lineitem group"
            + " by 1) a join supplier s on k = s_suppkey",
        "select l_suppkey k, count(*) from lineitem group by 1 union all select o_custkey, count(*)"
            + " from orders group by 1",
        "select k, sum(n) from (select l_suppkey k, count(*) n from lineitem group by 1 union all"
            + " select o_custkey, count(*) from orders group by 1) group by k",
        "select k, n, rank() over (order by n desc, k) from (select l_suppkey k, count(*) n from lineitem"
            + " group by 1)",
        "select k, avg(double(n)) from (select l_suppkey k, l_partkey, count(*) n from lineitem group by 1,"
            + " 2) group by k",
        "select count(distinct l_suppkey), sum(distinct l_partkey), max(l_price) from lineitem group by"
            + " l_mode",
        "select count(distinct l_suppkey), count(*), sum(l_price) from lineitem where l_price * 2 > 30",
        "select count(*) from lineitem where l_price * 2 > 1e9",
        "select max(n) from (select l_suppkey, count(*) n from lineitem where l_price * 2 > 1e9 group by 1)",
        "select * from (select l_suppkey k, count(*) n from lineitem group by 1) where k in (select k from"
            + " (select l_suppkey k, count(*) n from lineitem group by 1) where n > 190)",
        "with g as (select l_suppkey k, sum(l_price) n from lineitem group by 1) select a.k, b.n from g a join"
            + " g b on a.k = b.k + 1"
      })
  void whateverIsAboveHasItsRows(String query) {
    inModes(
        query,
        () -> {
          WithAndWithout.run(spark, query).assertOurs();
        });
  }

  @Test
  void writtenAndCachedResultsAreWhole() {
    String query = "select l_suppkey k, count(distinct l_mode) n from lineitem group by l_suppkey";
    String path = folder.resolve("written").toString();
    spark.sql(query).write().parquet(path);
    Dataset<Row> cached = spark.sql(query).cache();
    List<String> sparks =
        Sessions.with(
            spark, "spark.mooring.sql.enabled", "false", () -> ScanResults.rows(spark.sql(query)));
    assertThat(ScanResults.rows(spark.read().parquet(path))).isEqualTo(sparks);
    assertThat(ScanResults.rows(cached)).isEqualTo(sparks);
    assertThat(cached.filter("n > 0").count()).isEqualTo(sparks.size());
    cached.unpersist();
  }

  /** Plans that Spark makes anew once a query stage has run, and readers other than a query. */
  @Test
  void otherReadersHaveTheSameRows() {
    String query = "select l_suppkey k, count(distinct l_mode) n from lineitem group by l_suppkey";
    List<String> sparks =
        Sessions.with(
            spark, "spark.mooring.sql.enabled", "false", () -> ScanResults.rows(spark.sql(query)));
    assertThat(spark.sql(query).toJavaRDD().getNumPartitions()).isEqualTo(1);
    assertThat(spark.sql(query).toJavaRDD().count()).isEqualTo(sparks.size());
    Dataset<Row> eight = spark.sql(query).repartition(8);
    assertThat(ScanResults.rows(eight)).isEqualTo(sparks);
    assertThat(Plans.count(eight, "Exchange")).isEqualTo(1);
    String replanned =
        "select /*+ merge(o) */ o_priority, k, max(n) from ("
            + query
            + ") join orders o on k = o_custkey"
            + " group by o_priority, k order by k, o_priority";
    WithAndWithout both = WithAndWithout.run(spark, replanned).assertOurs();
    assertThat(finalStages(both.ours())).as(plan(both.ours())).hasSize(1);
  }

  /** Spark leaves an exchange out where that of an aggregate below gives the same partitions. */
  @Tag("matrix")
  @ParameterizedTest
  @ValueSource(
      strings = {
        "select /*+ repartition(4, k) */ k, n from g",
        "select k, n + 1 from (select /*+ repartition(4, k) */ k, n from g)",
        "select k, n from (select /*+ repartition(4, k) */ k, n from g) where n > 3",
        "select /*+ repartition(4, k) */ k, max(n) from g group by k",
        "select /*+ repartition(4, k) */ k, rank() over (partition by k order by n) from g",
        "select /*+ repartition(4, n) */ n, max(k) from g group by n",
        "select /*+ repartition(3, k) */ k, n from g"
      })
  void partitionsThatAQueryAsksForStay(String query) {
    String groups = "with g as (select l_suppkey k, count(*) n from lineitem group by 1) ";
    inModes(
        query,
        () -> {
          WithAndWithout both = WithAndWithout.run(spark, groups + query).assertOurs();
          assertThat(both.ours().toJavaRDD().getNumPartitions())
              .as(plan(both.ours()))
              .isEqualTo(both.sparks().toJavaRDD().getNumPartitions());
        });
  }

  /** A reader may count on the order in partitions, as a write by partitions does. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "select k, n + 1 from g sort by n, k",
        "select n from (select * from g sort by k)"
      })
  void rowsThatAreSortedInPartitionsKeepTheirOrder(String query) {
    String groups = "with g as (select l_suppkey k, count(*) n from lineitem group by 1) ";
    Dataset<Row> ours = spark.sql(groups + query);
    List<Row> rows = ours.collectAsList();
    assertThat(finalStages(ours)).hasSize(1);
    assertThat(Plans.count(ours, "Sort")).as(plan(ours)).isEqualTo(1);
    Sessions.with(
        spark,
        Map.of("spark.mooring.sql.enabled", "false", "spark.sql.shuffle.partitions", "1"),
        () -> assertThat(rows).isEqualTo(spark.sql(groups + query).collectAsList()));
  }

  @Test
  void autoAsksForAGpuAndNeverForNone() {
    String query = "select l_suppkey k, count(*) n from lineitem group by l_suppkey";
    boolean gpu = RequiresGpu.Condition.gpuIsThere();
    for (String mode : List.of("auto", "never")) {
      Sessions.with(
          spark,
          MODE,
          mode,
          () -> {
            WithAndWithout both = WithAndWithout.run(spark, query);
            boolean single = gpu && mode.equals("auto");
            assertThat(finalStages(both.ours())).hasSize(single ? 1 : 0);
            assertThat(Plans.count(both.ours(), "Exchange")).isEqualTo(single ? 0 : 1);
          });
    }
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
    inModes(
        query,
        () -> {
          WithAndWithout both = WithAndWithout.run(spark, query).assertOurs();
          assertThat(finalStages(both.ours())).as(plan(both.ours())).hasSize(1);
          assertThat(Plans.count(both.ours(), "Exchange")).isZero();
          if (RequiresGpu.Condition.gpuIsThere()) {
            Stages.assertOnGpuAlone(both.ours());
          }
        });
  }

  /**
   * Values with the order of rows, keys with more than one form, functions that only stages have.
   */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "select l_suppkey, first(l_price) is null from lineitem group by 1",
        "select l_suppkey, sum(double(l_price)) from lineitem group by 1",
        "select l_suppkey, avg(float(l_partkey)) from lineitem group by 1",
        "select float(l_suppkey), count(*) from lineitem group by 1",
        "select l_suppkey, count(distinct double(l_price)) from lineitem group by 1",
        "select l_suppkey, round(stddev(l_price), 3) from lineitem group by 1"
      })
  void functionsAndKeys_thatOneTaskDoesNotFinish_areExchanged(String query) {
    Dataset<Row> data = spark.sql(query);
    data.collectAsList();
    assertThat(finalStages(data)).isEmpty();
    assertThat(Plans.count(data, "Exchange")).isPositive();
  }

  /**
   * Two sums of doubles in another order differ, so that both sides get the groups of one exchange.
   */
  @Test
  void sumsOfDoubles_thatAreCompared_areOfOneExchange() {
    String query =
        "with r as (select l_suppkey k, sum(double(l_price)) s from lineitem group by 1) select k from r"
            + " where s = (select max(s) from r)";
    WithAndWithout both = WithAndWithout.run(spark, query);
    assertThat(finalStages(both.ours())).isEmpty();
    assertThat(both.ours().collectAsList()).isNotEmpty();
  }

  private static String query(String name) {
    return switch (name) {
      case "q10" ->
          "select c_custkey, c_segment, n_name, "
              + REVENUE
              + " from customer, orders, lineitem, nation where c_custkey = o_custkey and l_orderkey ="
              + " o_orderkey and c_nationkey = n_nationkey group by c_custkey, c_segment, n_name"
              + " order by revenue desc, c_custkey limit 20";
      case "q11" ->
          "select l_partkey, sum(l_price * l_suppkey) v from lineitem, supplier where l_suppkey ="
              + " s_suppkey group by l_partkey having sum(l_price * l_suppkey) > (select"
              + " sum(l_price * l_suppkey) * 0.01 from lineitem, supplier where l_suppkey = s_suppkey)"
              + " order by v desc";
      case "q13" ->
          "select n, count(*) d from (select c_custkey, count(o_orderkey) n from customer"
              + " left join orders on c_custkey = o_custkey and o_priority <> 'priority 3'"
              + " group by c_custkey) group by n order by d desc, n desc";
      case "q15" ->
          "with r as (select l_suppkey k, sum(l_price * (1 - l_discount)) t from lineitem where l_ship >="
              + " date'1995-09-01' group by l_suppkey) select s_suppkey, s_nationkey, t from"
              + " supplier, r where s_suppkey = k and t = (select max(t) from r) order by s_suppkey";
      case "q16" ->
          "select l_mode, p_type, count(distinct l_suppkey) n from lineitem, part where p_partkey ="
              + " l_partkey and p_type not like 'PROMO%' and not exists (select * from supplier"
              + " where s_suppkey = l_suppkey and s_nationkey = 3) group by l_mode, p_type"
              + " order by n desc, l_mode, p_type";
      case "q18" ->
          "select c_custkey, o_orderkey, o_date, sum(l_price) from customer, orders, lineitem"
              + " where o_orderkey in (select l_orderkey from lineitem group by l_orderkey having"
              + " sum(l_price) > 300) and c_custkey = o_custkey and o_orderkey = l_orderkey"
              + " group by c_custkey, o_orderkey, o_date order by o_date, o_orderkey limit 100";
      default -> throw new IllegalArgumentException(name);
    };
  }
}
