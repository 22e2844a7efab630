package io.mooring.stage;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.testing.Matrix;
import io.mooring.testing.Plans;
import io.mooring.testing.Sessions;
import io.mooring.testing.WithAndWithout;
import java.nio.file.Path;
import java.util.List;
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

/** Operators above a union are in a stage of each of its children, with a GPU and without. */
@Tag("extended")
class StageUnionsTest {
  private static final String JOIN = "BroadcastHashJoin";
  private static final String SALES = UnionTables.SALES;

  @TempDir static Path folder;

  private static SparkSession spark;

  @BeforeAll
  static void start() {
    spark = UnionTables.session(folder);
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  private static void inEachWay(Runnable work) {
    Stages.inEachWay(spark, work);
  }

  private static Dataset<Row> ours(String query) {
    return WithAndWithout.run(spark, query).ours();
  }

  private static String plan(Dataset<Row> data) {
    return data.queryExecution().executedPlan().toString();
  }

  @Test
  void aJoinAndAnAggregateAreInAStageOfEachChild() {
    String query =
        "select i.name, sum(s.price), count(*) from "
            + SALES
            + " s join items i on s.item = i.item where i.kept group by i.name";
    Runnable work =
        () -> {
          Dataset<Row> ours = ours(query);
          assertThat(Stages.with(ours, "HashAggregate] over"))
              .hasSize(2)
              .allSatisfy(
                  it -> assertThat(Stages.text(it)).contains(JOIN).doesNotContain("ends below"));
          assertThat(Plans.count(ours, "BroadcastExchange")).isEqualTo(1);
          assertThat(Plans.count(ours, "ReusedExchange")).isEqualTo(1);
          Stages.assertAsManyJobsAsWithout(spark, query);
        };
    // With a GPU executors would read the build side themselves.
    Sessions.with(spark, "spark.mooring.sql.replicatedJoins", "never", () -> inEachWay(work));
  }

  @Tag("matrix")
  @ParameterizedTest
  @ValueSource(
      strings = {
        "select day, sum(price), avg(price), count(item) from SALES group by day",
        "select count(*), sum(price) from SALES",
        "select count(item), min(price) from SALES where price * 2 < 0",
        "select distinct item from SALES",
        "select item, price from store union select item, price from web",
        "select day, count(distinct item), sum(price) from SALES group by day",
        "select concat('n', item) n, min(concat('d', day)) from SALES group by concat('n', item)",
        "select s.price, i.name from SALES s left join items i on s.item = i.item",
        "select s.price, i.name from items i right join SALES s on s.item = i.item",
        "select i.name, s.price from SALES s join items i on s.item = i.item"
            + " and s.price > (select avg(price) from web)",
        "select count(*) from SALES where item in (select item from items where kept)",
        "select count(*) from SALES where item not in (select item from items where kept)",
        "select count(*) from SALES s where not exists"
            + " (select 1 from items i where s.item = i.item)",
        "select sum(price) from SALES s where day > '2020-05-05' or exists"
            + " (select 1 from items i where s.item = i.item)",
        "select item, sum(price) from (select item, price from store union all"
            + " select item, price from store union all select item, id from web) group by item",
        "select i.name, count(*), sum(a.price), sum(b.price) from (select item, id, price from store"
            + " union all select item, id, price from web) a join (select id, price from store"
            + " where id < 50 union all select id, price from web where id < 60) b"
            + " on a.id = b.id join items i on a.item = i.item group by i.name"
      })
  void operatorsOfManyKindsAreInAStageOfEachChild(String query) {
    String sql = query.replace("SALES", SALES);
    Stages.inWays(
        spark,
        Matrix.both(query),
        () -> {
          Dataset<Row> ours = WithAndWithout.run(spark, sql).assertOurs().ours();
          List<MooringStageExec> stages =
              Stages.of(ours).stream()
                  .filter(it -> it.children().size() > 0 || grouped(it))
                  .toList();
          assertThat(stages).as(() -> plan(ours)).hasSizeGreaterThan(1);
          Stages.assertOnGpuAlone(ours);
        });
  }

  private static boolean grouped(MooringStageExec stage) {
    return Stages.text(stage).contains("Aggregate] over");
  }

  @Tag("matrix")
  @ParameterizedTest
  @ValueSource(
      strings = {
        "select item, nr from ranged",
        "select item, count(*) from web group by item",
        "select item, id from web limit 70",
        "select item, id from (select * from web order by price limit 30)",
        "select item, nr from values (1, 2L), (null, 3L) as t(item, nr)"
      })
  void aChildThatIsNoStageStaysRight(String other) {
    String query =
        "select i.name, count(*), sum(u.id) from (select item, id from store union all "
            + other
            + ") u join items i on u.item = i.item group by i.name";
    Stages.inWays(
        spark,
        Matrix.both(other),
        () -> {
          Dataset<Row> ours = ours(query);
          assertThat(Stages.with(ours, JOIN + ", Project, HashAggregate] over"))
              .as(() -> plan(ours))
              .hasSize(1);
        });
  }

  /** Spark 4.1 and later rely on it, and have no exchange above. */
  @Test
  void aUnionThatKeepsGroupsTogetherIsLeft() {
    String one = "select item, count(*) c from store group by item";
    String query =
        "select item, sum(c) from ("
            + one
            + " union all "
            + one.replace("store", "web")
            + ")"
            + " group by item";
    inEachWay(() -> assertThat(Stages.with(ours(query), "HashAggregate] over")).hasSize(2));
  }

  @Test
  void whatDependsOnThePartitionIsLeftAboveAUnion() {
    String query =
        "select pid >= 0, count(*) from (select *, spark_partition_id() pid from "
            + SALES
            + ") group by pid >= 0";
    inEachWay(() -> assertThat(Stages.with(ours(query), "Aggregate] over")).isEmpty());
    String numbered =
        "select count(distinct nr), count(*) from (select monotonically_increasing_id() nr from "
            + SALES
            + ")";
    inEachWay(() -> assertThat(Stages.with(ours(numbered), "Aggregate] over")).isEmpty());
  }

  @Test
  void columnsOfPartsAreLeft() {
    String query =
        "select day, count(*), max(size(l)) from (select day, array(item) l from store"
            + " union all select day, array(item) l from web) group by day";
    inEachWay(() -> assertThat(ours(query).count()).isEqualTo(400));
  }

  @Test
  void anOperatorThatTheGpuCannotDoStaysAboveTheUnion() {
    String query =
        "select i.name, sort_array(collect_set(s.item)) from "
            + SALES
            + " s join items i on s.item = i.item group by i.name";
    inEachWay(
        () -> {
          Dataset<Row> ours = ours(query);
          assertThat(Stages.with(ours, JOIN + ", Project] ends below: ObjectHashAggregate over"))
              .as(() -> plan(ours))
              .hasSize(2);
          assertThat(Plans.count(ours, "ObjectHashAggregate")).isEqualTo(2);
        });
  }

  @Test
  void joinsWithoutAnExchangeAreInAStageOfEachChild() {
    String query =
        "select i.name, sum(s.price) from "
            + SALES
            + " s join items i on s.item = i.item group by i.name";
    Map<String, String> settings =
        Map.of(
            "spark.mooring.sql.replicatedJoins", "always",
            "spark.sql.autoBroadcastJoinThreshold", "-1");
    Sessions.with(
        spark,
        settings,
        () -> inEachWay(() -> assertThat(Stages.with(ours(query), JOIN)).hasSize(2)));
  }

  /** Each with the scan's, beside those of its own operators. */
  @Test
  void rowsOfEachStageAreCounted() {
    Dataset<Row> data = spark.sql("select item, sum(price) from " + SALES + " group by item");
    data.collect();
    assertThat(Stages.of(data))
        .hasSize(2)
        .allSatisfy(it -> assertThat(it.metrics().apply("stageRowsOut").value()).isPositive());
  }
}
