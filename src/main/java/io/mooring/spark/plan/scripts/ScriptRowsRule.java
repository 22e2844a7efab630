package io.mooring.spark.plan.scripts;

import io.mooring.catalyst.ScalaLists;
import java.util.ArrayList;
import java.util.List;
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
    List<SparkPlan> children = new ArrayList<>();
    boolean changed = false;
    for (SparkPlan child : ScalaLists.<SparkPlan>list(plan.children())) {
      SparkPlan other = apply(child);
      if (plan instanceof BaseScriptTransformationExec && !(other instanceof ScriptRowsExec)) {
        other = new ScriptRowsExec(other);
      }
      changed |= other != child;
      children.add(other);
    }
    return changed ? (SparkPlan) plan.withNewChildren(ScalaLists.seq(children)) : plan;
  }
}
