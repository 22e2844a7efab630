package io.mooring.stage;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.stage.program.RowOperator;
import io.mooring.stage.program.StageChain;
import io.mooring.stage.program.SubqueryResults;
import io.mooring.testing.Matrix;
import io.mooring.testing.Sessions;
import io.mooring.testing.WithAndWithout;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
import scala.jdk.javaapi.CollectionConverters;

/**
 * Which joins are in stages, and that their rows are Spark's; without a GPU Spark's operators
 * compute all of them.
 */
class StageJoinsTest {
  private static final String ADAPTIVE = "spark.sql.adaptive.enabled";
  private static final String JOIN = "BroadcastHashJoin";

  @TempDir static Path folder;

  private static SparkSession spark;

  @BeforeAll
  static void start() {
    spark = StarTables.session(folder);
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  /** The stages of a query that have joins. */
  private static List<MooringStageExec> joined(Dataset<Row> data) {
    return Stages.with(data, JOIN);
  }

  private static void inEachWay(Runnable work) {
    Stages.inEachWay(spark, work);
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
    Stages.inWays(
        spark,
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
          assertThat(Stages.text(stages.get(0))).contains("HashAggregate] over");
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
        "expression soundex;"
            + "select f.id, i.name from facts f join items i"
            + " on f.item = i.item and soundex(f.code) < i.name where f.id + 1 > 50"
      })
  void aStageEndsBelowAJoinThatTheGpuCannotDo(String reasonAndQuery) {
    String[] parts = reasonAndQuery.split(";");
    inEachWay(
        () -> {
          Dataset<Row> ours = WithAndWithout.run(spark, parts[1]).assertOurs().ours();
          assertThat(joined(ours))
              .anySatisfy(
                  stage ->
                      assertThat(Stages.text(stage))
                          .contains("ends below: " + JOIN + ": " + parts[0])
                          .doesNotContain(JOIN + "]"));
        });
  }
}
