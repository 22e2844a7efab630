package io.mooring.spark.plan.scripts;

import io.mooring.catalyst.TreeNodes;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.execution.BaseScriptTransformationExec;
import org.apache.spark.sql.execution.SparkPlan;

/**
 * Puts a {@link ScriptRowsExec} below each script. Its rows may be Mooring's although no relation
 * of the query is: those of a cached DataFrame, or of one that has become an RDD. Thread-safe.
 */
public final class ScriptRowsRule extends Rule<SparkPlan> {
  @Override
  public SparkPlan apply(SparkPlan plan) {
    return TreeNodes.mapChildren(plan, child -> below(plan, apply(child)));
  }

  private static SparkPlan below(SparkPlan parent, SparkPlan child) {
    return parent instanceof BaseScriptTransformationExec && !(child instanceof ScriptRowsExec)
        ? new ScriptRowsExec(child)
        : child;
  }
}
