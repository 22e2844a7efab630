package io.mooring.stage;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.stage.replicated.ReplicatedTables;
import io.mooring.testing.Matrix;
import io.mooring.testing.Plans;
import io.mooring.testing.ScanResults;
import io.mooring.testing.Sessions;
import io.mooring.testing.WithAndWithout;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.QueryExecution;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import scala.collection.Iterator;
import scala.runtime.AbstractFunction1;

/**
 * What reads the single partition of an aggregate that one task computes: joins, windows, unions,
 * repartitions, writes, caches and RDDs. They get Spark's rows, in the partitions and the order
 * that a query asks for.
 */
@Tag("extended")
class SingleTaskPartitioningTest {
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
    Matrix.withAdaptiveOrWithout(
        spark,
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

  /** A stage whose tasks are all started together, as libraries that train models ask for. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "select l_suppkey, count(*) from lineitem group by l_suppkey",
        "select l_suppkey, count(*) n from lineitem group by l_suppkey order by n, l_suppkey",
        "select k, n, s_nationkey from (select l_suppkey k, count(*) n from lineitem group by 1) join"
            + " supplier on k = s_suppkey"
      })
  void barrierStageHasTheSameRows(String query) {
    for (String adaptive : List.of("true", "false")) {
      Sessions.with(
          spark,
          "spark.sql.adaptive.enabled",
          adaptive,
          () -> {
            RDD<Row> rows = spark.sql(query).toJavaRDD().rdd();
            RDD<Row> same =
                rows.barrier().mapPartitions(new SameRows(), false, rows.elementClassTag());
            assertThat(same.count()).isEqualTo(spark.sql(query).count());
          });
    }
  }

  private static final class SameRows extends AbstractFunction1<Iterator<Row>, Iterator<Row>>
      implements Serializable {
    private static final long serialVersionUID = 1;

    @Override
    public Iterator<Row> apply(Iterator<Row> rows) {
      return rows;
    }
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
    assertThat(Stages.finalOf(both.ours())).as(Stages.plan(both.ours())).hasSize(1);
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
    Matrix.withAdaptiveOrWithout(
        spark,
        query,
        () -> {
          WithAndWithout both = WithAndWithout.run(spark, groups + query).assertOurs();
          assertThat(both.ours().toJavaRDD().getNumPartitions())
              .as(Stages.plan(both.ours()))
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
    assertThat(Stages.finalWith(ours, "Sort")).as(Stages.plan(ours)).hasSize(1);
    assertThat(Plans.count(ours, "Sort")).as(Stages.plan(ours)).isZero();
    Sessions.with(
        spark,
        Map.of("spark.mooring.sql.enabled", "false", "spark.sql.shuffle.partitions", "1"),
        () -> assertThat(rows).isEqualTo(spark.sql(groups + query).collectAsList()));
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
        "spark.sql.adaptive.enabled",
        "false",
        () -> {
          QueryExecution execution = spark.sql(query).queryExecution();
          assertThat(execution.toRdd().outputDeterministicLevel()).hasToString(level);
        });
  }
}
