package io.mooring.stage;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.metrics.FileFallbacks;
import io.mooring.testing.Jobs;
import io.mooring.testing.Plans;
import io.mooring.testing.RequiresGpu;
import io.mooring.testing.ScanResults;
import io.mooring.testing.Sessions;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.exchange.ValidateRequirements$;

/** The stages of executed queries. */
public final class Stages {
  private Stages() {}

  /** The stages of an executed query, in its sub-queries too. */
  public static List<MooringStageExec> of(Dataset<Row> data) {
    return Plans.nodes(data, MooringStageExec.class::isInstance).stream()
        .map(MooringStageExec.class::cast)
        .toList();
  }

  /** The stages of an executed query whose text names operators, such as a BroadcastHashJoin. */
  public static List<MooringStageExec> with(Dataset<Row> data, String operators) {
    return of(data).stream().filter(stage -> text(stage).contains(operators)).toList();
  }

  /** The stages of an executed query that compute a BroadcastHashJoin. */
  public static List<MooringStageExec> joined(Dataset<Row> data) {
    // The operators come first; what a stage ends below comes after them.
    return of(data).stream()
        .filter(stage -> text(stage).matches("(?s)[^\\]]*BroadcastHashJoin.*"))
        .toList();
  }

  /** The final stages of an executed query, which one task computes. */
  static List<SparkPlan> finalOf(Dataset<Row> data) {
    return Plans.nodes(data, MooringFinalStageExec.class::isInstance);
  }

  /** The final stages of an executed query whose text names an operator. */
  static List<SparkPlan> finalWith(Dataset<Row> data, String operator) {
    return finalOf(data).stream().filter(stage -> text(stage).contains(operator)).toList();
  }

  /** What a plan shows of a stage. */
  public static String text(SparkPlan stage) {
    return stage.simpleString(1000);
  }

  /** Does something with adaptive execution and without, where scans leave operators to stages. */
  public static void inEachWay(SparkSession spark, Runnable work) {
    inWays(spark, List.of("true", "false"), work);
  }

  /** Does something {@link #inEachWay}, for some settings of adaptive execution. */
  static void inWays(SparkSession spark, List<String> adaptive, Runnable work) {
    for (String enabled : adaptive) {
      Sessions.with(
          spark,
          Map.of("spark.sql.adaptive.enabled", enabled, "spark.mooring.sql.pushdown", "never"),
          work);
    }
  }

  /** A query takes as many jobs as it does without stages. */
  static void assertAsManyJobsAsWithout(SparkSession spark, String query) {
    int without =
        Sessions.with(spark, "spark.mooring.sql.stages", "never", () -> Jobs.of(spark, query));
    assertThat(Jobs.of(spark, query)).isEqualTo(without);
  }

  /** The plan of a query gives the same rows when it runs again, and when it is cached. */
  static void assertRunsAgainAndCached(SparkSession spark, String query) {
    Dataset<Row> data = spark.sql(query);
    List<String> rows = ScanResults.rows(data);
    assertThat(ScanResults.rows(data)).isEqualTo(rows).isNotEmpty();
    assertThat(data.rdd().count()).isEqualTo(rows.size());
    Dataset<Row> cached = spark.sql(query).cache();
    assertThat(ScanResults.rows(cached)).isEqualTo(rows);
    cached.unpersist(true);
  }

  /** A metric of the stages of a query, summed. */
  public static long metric(Dataset<Row> data, String name) {
    return of(data).stream().mapToLong(stage -> stage.metrics().apply(name).value()).sum();
  }

  /**
   * Whether the operators that Spark falls back to get the partitions and the order they require.
   */
  static boolean canFallBack(SparkPlan stage) {
    return ValidateRequirements$.MODULE$.validate(((StageExec) stage).replaced());
  }

  /** There are stages, and where there is a GPU Spark's operators computed nothing of them. */
  public static void assertOnGpuAlone(Dataset<Row> data) {
    assertThat(of(data)).as(() -> plan(data)).isNotEmpty();
    if (RequiresGpu.Condition.gpuIsThere()) {
      assertThat(metric(data, "sparkSplits"))
          .as(() -> "left to Spark: " + FileFallbacks.take() + " in " + plan(data))
          .isZero();
      assertThat(metric(data, "gpuFiles")).as(() -> plan(data)).isPositive();
    }
  }

  /** The physical plan of an executed query. */
  static String plan(Dataset<Row> data) {
    return data.queryExecution().executedPlan().toString();
  }
}
