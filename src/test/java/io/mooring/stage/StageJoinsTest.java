package io.mooring.stage;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.stage.program.RowOperator;
import io.mooring.stage.program.StageChain;
import io.mooring.stage.program.SubqueryResults;
import io.mooring.testing.Jobs;
import io.mooring.testing.Matrix;
import io.mooring.testing.Plans;
import io.mooring.testing.ScanResults;
import io.mooring.testing.Sessions;
import io.mooring.testing.WithAndWithout;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
import scala.jdk.javaapi.CollectionConverters;

/** Joins in stages. Without a GPU Spark's operators compute all of their rows. */
class StageJoinsTest {
  private static final String ADAPTIVE = "spark.sql.adaptive.enabled";
  private static final String STAGES = "spark.mooring.sql.stages";
  private static final String JOIN = "BroadcastHashJoin";

  @TempDir static Path folder;

  private static SparkSession spark;

  @BeforeAll
  static void start() {
    spark = Sessions.transparent(folder.resolve("warehouse"), Map.of());
    write(
        "facts",
        spark
            .range(0, 6000, 1, 3)
            .selectExpr(
                "id",
                "if(id % 11 = 0, null, cast(id % 130 as int)) item",
                "id % 17 shop",
                "concat('c', id % 23) code",
                "cast(id * 13 % 10007 as decimal(12,2)) price",
                "date_add(date'2020-01-01', cast(id % 400 as int)) day"));
    write(
        "items",
        spark
            .range(100)
            .selectExpr(
                "cast(id as int) item",
                "concat('name ', id % 9) name",
                "cast(id as decimal(12,2)) cost",
                "concat('c', id % 40) code"));
    write(
        "shops",
        spark
            .range(40)
            .selectExpr("id % 20 shop", "if(id % 5 = 0, null, concat('s', id)) label", "id nr"));
    write("lists", spark.range(20).selectExpr("id shop", "array(id) list"));
  }

  private static void write(String table, Dataset<Row> rows) {
    String path = folder.resolve(table).toString();
    rows.write().parquet(path);
    spark.read().parquet(path).createOrReplaceTempView(table);
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  /** The operators of a query's stages that have joins, in both ways to plan it. */
  private static List<MooringStageExec> joined(Dataset<Row> data) {
    return Stages.of(data).stream().filter(stage -> text(stage).contains(JOIN)).toList();
  }

  private static String text(SparkPlan plan) {
    return plan.simpleString(1000);
  }

  private static void inEachWay(Runnable work) {
    inWays(List.of("true", "false"), work);
  }

  private static void inWays(List<String> ways, Runnable work) {
    for (String adaptive : ways) {
      Sessions.with(spark, Map.of(ADAPTIVE, adaptive, "spark.mooring.sql.pushdown", "never"), work);
    }
  }

  @Test
  void eachOperatorHasAMetricOfItsRows() {
    Dataset<Row> data =
        spark.sql(
            "select i.name, sum(f.price) from facts f join items i on f.item = i.item"
                + " where f.id + f.shop > 9 group by i.name");
    Sessions.with(spark, Map.of(ADAPTIVE, "false"), data::collectAsList);
    MooringStageExec stage = Objects.requireNonNull(joined(data).get(0));
    assertThat(
            CollectionConverters.asJava(stage.metrics()).values().stream()
                .map(metric -> metric.name().getOrElse(() -> ""))
                .filter(name -> name.startsWith("rows out of operator")))
        .contains("rows out of operator 1, Filter")
        .anyMatch(name -> name.matches("rows out of operator \\d, BroadcastHashJoin"))
        .noneMatch(name -> name.contains("Aggregate"));
  }

  @Tag("matrix")
  @ParameterizedTest
  @ValueSource(
      strings = {
        "select f.id, i.name from facts f join items i on f.item = i.item",
        "select /*+ BROADCAST(f) */ f.id, i.name from facts f join items i on f.item = i.item",
        "select f.id, s.nr from facts f join shops s on f.shop = s.shop and f.id % 3 < s.nr % 3",
        "select f.id, s.label from facts f left join shops s on f.shop = s.shop",
        "select f.id, s.label from facts f left join shops s on f.shop = s.shop and s.nr > f.id % 9",
        "select f.id, i.name from items i right join facts f on f.item = i.item",
        "select id, price from facts where item in (select item from items where cost > 20)",
        "select id from facts f where exists"
            + " (select 1 from shops s where s.shop = f.shop and s.nr > f.id % 30)",
        "select id from facts f where not exists (select 1 from items i where i.item = f.item)",
        "select id, price from facts where item not in (select item from items where cost > 20)",
        "select id from facts where item not in (select shop from shops where shop is not null)",
        "select id from facts where concat(code, 'x') not in"
            + " (select concat(label, 'x') from shops where nr % 5 > 0)",
        "select count(*), sum(id) from facts where price not in (select cost from items)",
        "select id from facts f where id % 7 = 1 or exists"
            + " (select 1 from items i where i.item = f.item)",
        "select f.id, i.cost from facts f join items i on f.item <=> i.item and f.code = i.code",
        "select f.id, i.cost from facts f join items i on f.price = i.cost and f.item + 1 = i.item",
        "select count(*) from facts f join items i on f.item = i.item"
      })
  void joinsOfEachKindAreInAStage(String query) {
    inWays(
        Matrix.both(query),
        () -> {
          Dataset<Row> ours = WithAndWithout.run(spark, query).assertOurs().ours();
          assertThat(joined(ours))
              .as(() -> ours.queryExecution().executedPlan().toString())
              .hasSize(1)
              .allSatisfy(stage -> assertThat(stage.children().size()).isEqualTo(1));
        });
  }

  /** Adaptive execution does away with joins of nothing. */
  @ParameterizedTest
  @ValueSource(strings = {"join", "left join", "left semi join", "left anti join"})
  void aBroadcastOfNothingIsJoinedWith(String join) {
    String query =
        "select f.id from facts f " + join + " items i on f.item = i.item and i.cost < 0";
    Sessions.with(
        spark,
        ADAPTIVE,
        "false",
        () -> {
          Dataset<Row> ours = WithAndWithout.run(spark, query).assertOurs().ours();
          assertThat(joined(ours)).hasSize(1);
        });
  }

  /** Adaptive execution does away with them, and with joins of a null. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "select item from items where cost < 0",
        "select if(item > 90, null, item) from items",
        "select cast(null as int) from items"
      })
  void notInOfNothingAndOfANullIsSparks(String values) {
    String query = "select id, item from facts where item not in (" + values + ")";
    Sessions.with(
        spark,
        ADAPTIVE,
        "false",
        () -> {
          Dataset<Row> ours = WithAndWithout.run(spark, query).assertOurs().ours();
          assertThat(joined(ours)).hasSize(1);
        });
  }

  /** Then joins travel to executors with what they are over. */
  @Test
  void joinsWithoutGeneratedCodeAreRight() {
    String query =
        "select f.id, s.label from facts f join items i on f.item = i.item"
            + " left join shops s on f.shop = s.shop and s.nr > f.id % 9";
    Sessions.with(
        spark,
        "spark.sql.codegen.wholeStage",
        "false",
        () ->
            inEachWay(
                () ->
                    assertThat(joined(WithAndWithout.run(spark, query).assertOurs().ours()))
                        .hasSize(1)));
  }

  @Test
  void joinsAboveEachOtherAndAnAggregateAreOneStage() {
    String query =
        "select i.name, s.label, sum(f.price * i.cost), count(*) from facts f"
            + " join items i on f.item = i.item join shops s on f.shop = s.shop"
            + " join items j on f.code = j.code and j.cost < 40"
            + " where i.cost > 3 group by i.name, s.label";
    inEachWay(
        () -> {
          Dataset<Row> ours = WithAndWithout.run(spark, query).assertOurs().ours();
          List<MooringStageExec> stages = joined(ours);
          assertThat(stages).hasSize(1);
          assertThat(text(stages.get(0))).contains("HashAggregate] over");
          assertThat(stages.get(0).children().size()).isEqualTo(3);
        });
  }

  @Test
  void onlyColumnsThatAreUsedComeOutOfAJoin() {
    String query =
        "select i.name, sum(f.price * 2) from facts f join items i on f.item = i.item"
            + " join shops s on f.shop = s.shop where s.nr > f.id % 5 group by i.name";
    inEachWay(
        () -> {
          Dataset<Row> ours = WithAndWithout.run(spark, query).ours();
          StageChain chain =
              Objects.requireNonNull(StageChain.below(joined(ours).get(0).replaced()));
          List<RowOperator.Join> joins =
              Objects.requireNonNull(chain.supported(SubqueryResults.KNOWN))
                  .program()
                  .operators()
                  .stream()
                  .filter(RowOperator.Join.class::isInstance)
                  .map(RowOperator.Join.class::cast)
                  .toList();
          assertThat(joins).hasSize(2);
          // The price, and the name or what finds it.
          assertThat(joins.get(1).output()).hasSize(2);
        });
  }

  @Test
  void aBroadcastThatTwoJoinsShareIsMadeOnce() {
    String query =
        "select count(*), sum(a.cost), max(b.name) from facts f"
            + " join items a on f.item = a.item join items b on cast(f.shop as int) = b.item";
    inEachWay(
        () -> {
          WithAndWithout both = WithAndWithout.run(spark, query).assertOurs();
          both.assertEqualCounts("BroadcastExchange", "ReusedExchange");
          assertThat(joined(both.ours()).get(0).children().size()).isEqualTo(2);
          int without = Sessions.with(spark, STAGES, "never", () -> Jobs.of(spark, query));
          assertThat(Jobs.of(spark, query)).isEqualTo(without);
        });
  }

  @Test
  void aPlanShowsABroadcastOnce() {
    Sessions.with(
        spark,
        ADAPTIVE,
        "false",
        () -> {
          Dataset<Row> data =
              spark.sql("select f.id, i.name from facts f join items i on f.item = i.item");
          String plan = data.queryExecution().executedPlan().toString();
          assertThat(plan).contains("StageInput [item");
          assertThat(plan.split("BroadcastExchange", -1)).as(plan).hasSize(2);
          assertThat(
                  data.queryExecution()
                      .explainString(
                          org.apache.spark.sql.execution.ExplainMode.fromString("formatted")))
              .contains("MooringStage", "BroadcastExchange");
        });
  }

  @Test
  void buildSidesHaveStagesOfTheirOwn() {
    String query =
        "select f.id, g.most from facts f join"
            + " (select shop, max(nr + 1) most from shops where nr * 2 > 10 group by shop) g"
            + " on f.shop = g.shop where f.item + 1 > 5";
    inEachWay(
        () -> {
          Dataset<Row> ours = WithAndWithout.run(spark, query).assertOurs().ours();
          assertThat(joined(ours)).hasSize(1);
          assertThat(Stages.of(ours)).hasSize(2);
        });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "null-aware anti join of type DOUBLE;"
            + "select id from facts where id + 1 > 50 and id * 1D not in (select item * 1D from items)",
        "type ARRAY;"
            + "select f.id, l.list from facts f join lists l on f.shop = l.shop where f.id + 1 > 50",
        "expression regexp_replace;"
            + "select f.id, i.name from facts f join items i"
            + " on f.item = i.item and regexp_replace(f.code, 'c', '') < i.name where f.id + 1 > 50"
      })
  void aStageEndsBelowAJoinThatTheGpuCannotDo(String reasonAndQuery) {
    String[] parts = reasonAndQuery.split(";");
    inEachWay(
        () -> {
          Dataset<Row> ours = WithAndWithout.run(spark, parts[1]).assertOurs().ours();
          assertThat(joined(ours))
              .anySatisfy(
                  stage ->
                      assertThat(text(stage))
                          .contains("ends below: " + JOIN + ": " + parts[0])
                          .doesNotContain(JOIN + "]"));
        });
  }

  @Test
  void aCachedPlanAndOneThatRunsAgainAreRight() {
    String query =
        "select i.name, sum(f.price) from facts f join items i on f.item = i.item group by i.name";
    inEachWay(
        () -> {
          Dataset<Row> data = spark.sql(query);
          List<String> rows = ScanResults.rows(data);
          assertThat(ScanResults.rows(data)).isEqualTo(rows).isNotEmpty();
          Dataset<Row> cached = spark.sql(query).cache();
          assertThat(ScanResults.rows(cached)).isEqualTo(rows);
          cached.unpersist(true);
        });
  }

  @Test
  void subqueriesInJoinConditionsAreRunOnce() {
    String query =
        "select f.id, i.name from facts f join items i on f.item = i.item"
            + " and f.price + i.cost > (select avg(cost) from items) where f.id + 1 > 50";
    inEachWay(
        () -> {
          WithAndWithout both = WithAndWithout.run(spark, query).assertOurs();
          assertThat(joined(both.ours())).hasSize(1);
          both.assertEqualCounts("Subquery", "ReusedSubquery");
        });
  }

  @Test
  void exchangesAboveEqualStagesAreReused() {
    String one =
        "select i.name, count(*) c from facts f join items i on f.item = i.item group by i.name";
    String query = "select * from (" + one + ") a join (" + one + ") b on a.c = b.c";
    inEachWay(
        () -> {
          WithAndWithout both = WithAndWithout.run(spark, query).assertOurs();
          both.assertEqualCounts("ReusedExchange");
          assertThat(Plans.count(both.ours(), "MooringStage")).isPositive();
        });
  }
}
