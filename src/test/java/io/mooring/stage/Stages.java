package io.mooring.stage;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.metrics.FileFallbacks;
import io.mooring.testing.Plans;
import io.mooring.testing.RequiresGpu;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/** The stages of executed queries. */
public final class Stages {
  private Stages() {}

  /** Those of an executed query, in its sub-queries too. */
  public static List<MooringStageExec> of(Dataset<Row> data) {
    return Plans.nodes(data, MooringStageExec.class::isInstance).stream()
        .map(MooringStageExec.class::cast)
        .toList();
  }

  /** A metric of the stages of a query, summed. */
  public static long metric(Dataset<Row> data, String name) {
    return of(data).stream().mapToLong(stage -> stage.metrics().apply(name).value()).sum();
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

  private static String plan(Dataset<Row> data) {
    return data.queryExecution().executedPlan().toString();
  }
}
