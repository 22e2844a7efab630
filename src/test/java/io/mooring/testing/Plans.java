package io.mooring.testing;

import io.mooring.stage.MooringStageExec;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanExec;
import org.apache.spark.sql.execution.adaptive.QueryStageExec;
import org.apache.spark.sql.execution.datasources.v2.BatchScanExec;
import scala.jdk.javaapi.CollectionConverters;

/** Looks into physical plans, through adaptive ones, into stages and into sub-queries. */
public final class Plans {
  private Plans() {}

  /** The nodes of a plan for which a condition holds; those of an adaptive plan as they ended. */
  public static List<SparkPlan> nodes(Dataset<Row> data, Predicate<SparkPlan> condition) {
    List<SparkPlan> found = new ArrayList<>();
    visit(data.queryExecution().executedPlan(), condition, found);
    return found;
  }

  private static void visit(SparkPlan plan, Predicate<SparkPlan> condition, List<SparkPlan> found) {
    if (plan instanceof AdaptiveSparkPlanExec adaptive) {
      visit(adaptive.executedPlan(), condition, found);
      return;
    } else if (plan instanceof QueryStageExec stage) {
      visit(stage.plan(), condition, found);
      return;
    }
    if (condition.test(plan)) {
      found.add(plan);
    }
    if (plan instanceof MooringStageExec stage) {
      // Its sub-queries are those of what it replaced.
      visit(stage.replaced(), condition, found);
      CollectionConverters.asJava(plan.children()).forEach(it -> visit(it, condition, found));
      return;
    }
    CollectionConverters.asJava(plan.children()).forEach(it -> visit(it, condition, found));
    CollectionConverters.asJava(plan.subqueries()).forEach(it -> visit(it, condition, found));
  }

  /** Scans of Mooring. */
  public static List<SparkPlan> ours(Dataset<Row> data) {
    return nodes(
        data,
        node ->
            node instanceof BatchScanExec scan && scan.simpleString(100).contains("MooringScan "));
  }

  /** File scans of Spark's own. */
  public static List<SparkPlan> sparks(Dataset<Row> data) {
    return nodes(data, node -> node.nodeName().startsWith("Scan parquet"));
  }

  /** How many file scans were planned, not counting sub-queries; adaptive plans may drop some. */
  public static int planned(Dataset<Row> data) {
    return (int)
        CollectionConverters.asJava(data.queryExecution().sparkPlan().collectLeaves()).stream()
            .filter(
                node -> node instanceof BatchScanExec || node.nodeName().startsWith("Scan parquet"))
            .count();
  }

  /** How many nodes there are whose name begins so. */
  public static int count(Dataset<Row> data, String name) {
    return nodes(data, node -> node.nodeName().startsWith(name)).size();
  }
}
