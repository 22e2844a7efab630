package io.mooring.spark.plan.stages;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.stage.MooringStageExec;
import io.mooring.stage.Stages;
import io.mooring.testing.Sessions;
import io.mooring.testing.WithAndWithout;
import java.nio.file.Path;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.SparkPlan;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where stages are put in plans. Without a GPU Spark's operators compute all of their rows. */
class StageRuleTest {
  private static final String GROUPED = SalesTables.GROUPED;

  @TempDir static Path folder;

  private static SparkSession spark;

  @BeforeAll
  static void start() {
    spark = SalesTables.session(folder);
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  @ParameterizedTest
  @ValueSource(strings = {"true", "false"})
  void partialAggregatesAreInAStage(String adaptive) {
    Sessions.with(
        spark,
        "spark.sql.adaptive.enabled",
        adaptive,
        () -> {
          WithAndWithout both = WithAndWithout.run(spark, GROUPED).assertOurs();
          MooringStageExec stage = Stages.of(both.ours()).get(0);
          assertThat(Stages.text(stage)).contains("[HashAggregate] over", "MooringScan");
          assertThat(Stages.of(both.ours())).hasSize(1);
          assertThat(Stages.of(both.sparks())).isEmpty();
          both.assertEqualCounts("Exchange", "HashAggregate");
        });
  }

  @Test
  void rowsAreNotMadeMoreWhereTheyAreNotGrouped() {
    WithAndWithout both =
        WithAndWithout.run(
            spark,
            "select flag, day, sort_array(collect_list(id % 3)) from sales where id + 1 < 50"
                + " group by rollup(flag, day)");
    assertThat(Stages.of(both.ours()))
        .isNotEmpty()
        .noneSatisfy(stage -> assertThat(Stages.text(stage)).contains("Expand,"));
  }

  @Test
  void aStageEndsBelowWhatIsNotSupportedAndTellsWhy() {
    WithAndWithout both =
        WithAndWithout.run(
            spark,
            "select flag, sort_array(collect_list(id % 3)) from sales where id + 1 < 50 group by"
                + " flag");
    assertThat(Stages.of(both.ours()))
        .allSatisfy(
            stage ->
                assertThat(Stages.text(stage))
                    .contains("ends below: ObjectHashAggregate: function collect_list"));
  }

  @Test
  void explainShowsWhatAStageReplaced() {
    Dataset<Row> data = spark.sql(GROUPED);
    data.collect();
    String plan = data.queryExecution().toString();
    assertThat(plan).contains("MooringStage [HashAggregate]", "partial_avg(price");
    assertThat(
            data.queryExecution()
                .explainString(org.apache.spark.sql.execution.ExplainMode.fromString("formatted")))
        .contains("MooringStage");
  }

  @Test
  void columnsThatAreOnlyLeftOutMakeNoStage() {
    assertThat(Stages.of(spark.sql("select price, flag from sales where id < 10"))).isEmpty();
    assertThat(Stages.of(spark.sql("select flag f from sales"))).isEmpty();
  }

  @Test
  void settingsTurnStagesOff() {
    Sessions.with(
        spark,
        "spark.mooring.sql.stages",
        "never",
        () -> assertThat(Stages.of(spark.sql(GROUPED))).isEmpty());
  }

  @Test
  void rowsWhoseFileIsAskedForAreInNoStage() {
    String query =
        "select f, avg(price) from (select input_file_name() f, price from sales) group by f";
    assertThat(Stages.of(WithAndWithout.run(spark, query).ours())).isEmpty();
  }

  @Test
  void rowsOfAStageAreCounted() {
    Dataset<Row> data = spark.sql(GROUPED);
    data.collect();
    SparkPlan stage = Stages.of(data).get(0);
    assertThat(stage.metrics().apply("stageRowsOut").value()).isBetween(5L, 15L);
    assertThat(stage.metrics().contains("gpuFiles")).isTrue();
  }
}
