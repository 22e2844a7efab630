package io.mooring.ui;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.metrics.FileFallbacks.FileFallback;
import io.mooring.metrics.StageMetric;
import io.mooring.ui.QueryReader.Parts;
import io.mooring.ui.QueryReader.Plan;
import io.mooring.ui.QueryView.PartView;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.execution.ui.SQLPlanMetric;
import org.apache.spark.sql.execution.ui.SparkPlanGraphEdge;
import org.apache.spark.sql.execution.ui.SparkPlanGraphNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import scala.jdk.javaapi.CollectionConverters;

/** What the tab makes of plans, metrics and reasons of any size. */
class PlanPartsTest {
  private static final String SCAN =
      "BatchScan mooring (1 paths)[file:/data/t][a#1L] MooringScan (1 paths)[file:/data/t]";

  private final List<SparkPlanGraphNode> nodes = new ArrayList<>();
  private final List<SparkPlanGraphEdge> edges = new ArrayList<>();
  private final Map<Long, String> values = new HashMap<>();
  private QueryFallbacks fallbacks = QueryFallbacks.none(1);

  /** Adds a node below another, with metrics by their labels; gives its number. */
  private long add(long above, String name, String text, Map<String, String> metrics) {
    long id = nodes.size();
    List<SQLPlanMetric> of = new ArrayList<>();
    metrics.forEach(
        (label, value) -> {
          of.add(new SQLPlanMetric(label, values.size(), "sum"));
          values.put((long) values.size(), value);
        });
    nodes.add(new SparkPlanGraphNode(id, name, text, CollectionConverters.asScala(of).toList()));
    if (above >= 0) {
      edges.add(new SparkPlanGraphEdge(id, above));
    }
    return id;
  }

  private long add(long above, String name) {
    return add(above, name, name, Map.of());
  }

  private Parts parts() {
    return Parts.of(new Plan(nodes, edges), values, fallbacks);
  }

  private PartView only() {
    assertThat(parts().shown()).hasSize(1);
    return parts().shown().get(0);
  }

  @Test
  void whoComputedAStageIsTold() {
    Map<String, String> metrics = new HashMap<>();
    metrics.put(StageMetric.ROWS_IN.label(), "1,000");
    metrics.put(StageMetric.ROWS_OUT.label(), "10");
    metrics.put(StageMetric.SPARK_SPLITS.label(), "0");
    metrics.put(
        StageMetric.OPERATOR_TIME.label(),
        "total (min, med, max (stageId: taskId))\n1.5 s (10 ms, 20 ms, 1.2 s (stage 3.0: task 7))");
    add(-1, "MooringStage", "MooringStage [Filter] over " + SCAN, metrics);
    assertThat(only().stage())
        .containsExactly(
            "Filter",
            "computed by: GPU",
            "rows into operators on the GPU: 1,000",
            "rows out of the stage: 10",
            "time of operators on the GPU: 1.5 s");
    assertThat(only().why()).isEmpty();

    nodes.clear();
    metrics.put(StageMetric.SPARK_SPLITS.label(), "2");
    fallbacks = fallbacks.plus(new FileFallback(1, "a sum may overflow", "file:/data/t/a", 2));
    add(-1, "MooringStage", "MooringStage [Filter] over " + SCAN, metrics);
    assertThat(only().stage()).contains("computed by: GPU and Spark's operators");
    assertThat(only().why())
        .containsExactly("a sum may overflow (2 of such splits, file:/data/t/a)");
  }

  @Test
  void aFinalStageShowsWhatTheGpuMerged() {
    Map<String, String> metrics =
        Map.of(StageMetric.FINAL_GROUPS.label(), "70", StageMetric.FINAL_ROWS_OUT.label(), "7");
    add(
        -1,
        "MooringFinalStage",
        "MooringFinalStage [HashAggregate, TakeOrderedAndProject] over the groups of a stage",
        metrics);
    assertThat(only().stage())
        .containsExactly(
            "HashAggregate, TakeOrderedAndProject",
            "partial groups merged on the GPU: 70",
            "rows out of the final operators on the GPU: 7");
  }

  @Test
  void reasonsAreToldOnceForAQuery() {
    for (int i = 0; i < 15; i++) {
      fallbacks = fallbacks.plus(new FileFallback(1, "reason " + (i + 10), "file:/a", 1));
    }
    for (int i = 0; i < 3; i++) {
      add(
          -1,
          "MooringStage",
          "MooringStage [] over " + SCAN,
          Map.of("file splits read by Spark's reader", "1"));
    }
    List<PartView> parts = parts().shown();
    assertThat(parts.get(0).why()).hasSize(11).endsWith("and 5 more reasons");
    assertThat(parts.get(1).why()).containsExactly("fell back, as above");
    assertThat(parts.get(2).why()).containsExactly("fell back, as above");
  }

  /** A build side may have joins with build sides of their own. */
  @Test
  void whatABuildSideReadsIsIndented() {
    long outer = add(-1, "MooringStage", "MooringStage [BroadcastHashJoin] over " + SCAN, Map.of());
    long build = add(outer, "Replicated", "Replicated [k#1], reads the build side on", Map.of());
    long within = add(build, "MooringStage", "MooringStage [Filter] over " + SCAN, Map.of());
    long inner = add(within, "Replicated");
    add(add(inner, "Project"), "BatchScan mooring", SCAN, Map.of());
    long after = add(outer, "Exchange");
    add(after, "BatchScan mooring", SCAN, Map.of());
    // A node that is used a second time, from outside of the build side.
    edges.add(new SparkPlanGraphEdge(within, after));
    assertThat(parts().shown()).extracting(PartView::depth).containsExactly(0, 0, 1, 1, 2, 0);
    assertThat(parts().shown().get(1).name()).isEqualTo("Replicated [k#1]");
    assertThat(parts().others()).containsExactly("Project", "Exchange");
  }

  @Test
  void onlyNodesOfThatNameAreStagesAndScans() {
    add(-1, "Project", "Project [MooringStage [Filter] over " + SCAN + "]", Map.of());
    add(-1, "Exchange", "Exchange hashpartitioning(MooringScan #1)", Map.of());
    add(-1, "WholeStageCodegen (1)");
    add(-1, "AdaptiveSparkPlan");
    assertThat(parts().shown()).isEmpty();
    assertThat(parts().others()).containsExactly("Project", "Exchange");
  }

  @Test
  void aTextOfAnotherVersionIsShownAsItIs() {
    add(-1, "MooringStage", "MooringStage of tomorrow", Map.of());
    assertThat(only().name()).isEqualTo("MooringStage");
    assertThat(only().plan()).isEqualTo("MooringStage of tomorrow");
  }

  @Test
  @Timeout(30)
  void aPlanOfThousandsOfNodesIsCutToAPageThatLoads() {
    long above = -1;
    for (int i = 0; i < 20_000; i++) {
      above = add(above, "Operator " + i);
      above = add(above, "Replicated");
      String operators = String.join(", ", Collections.nCopies(i == 0 ? 10_000 : 3, "Filter"));
      String end = " ends below: Project: type " + "x".repeat(i == 0 ? 100_000 : 10);
      add(
          above,
          "MooringStage",
          "MooringStage [" + operators + "]" + end + " over " + SCAN,
          Map.of());
    }
    Parts parts = parts();
    assertThat(parts.shown()).hasSize(Parts.MOST);
    assertThat(parts.more()).isEqualTo(40_000 - Parts.MOST);
    assertThat(parts.others()).hasSizeLessThanOrEqualTo(50);
    assertThat(parts.shown().get(1).stage().get(0)).endsWith("Filter and 9970 more");
    QueryView query =
        new QueryView(
            1,
            "select <" + "y".repeat(1_000_000),
            "RUNNING",
            parts.shown(),
            parts.more(),
            parts.others());
    String page = QueryTable.of(List.of(query)).toString();
    assertThat(page.length()).isLessThan(200_000);
    assertThat(page)
        .contains((40_000 - Parts.MOST) + " more, see the plan of the query")
        .contains("1: select &lt;yyy");
  }
}
