package io.mooring.stage;

import io.mooring.catalyst.ScalaLists;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.UnionExec;

/** The nodes below a final stage's operators that make its groups: one, or those below a union. */
final class GroupInputs {
  private GroupInputs() {}

  /** The nodes that make groups. */
  static List<SparkPlan> of(SparkPlan groups) {
    List<SparkPlan> found = new ArrayList<>();
    if (groups instanceof UnionExec) {
      ScalaLists.<SparkPlan>list(groups.children()).forEach(child -> found.addAll(of(child)));
    } else {
      found.add(groups);
    }
    return found;
  }

  /** The same union, if there is one, of other nodes. */
  static SparkPlan of(SparkPlan groups, List<SparkPlan> others) {
    return of(groups, others.iterator(), UnaryOperator.identity());
  }

  /** The same union, if there is one, of nodes that delegate to others. */
  static SparkPlan with(SparkPlan groups, List<SparkPlan> others) {
    return of(groups, others.iterator(), StageInputExec::new);
  }

  private static SparkPlan of(
      SparkPlan groups, Iterator<SparkPlan> others, UnaryOperator<SparkPlan> as) {
    if (!(groups instanceof UnionExec)) {
      return as.apply(others.next());
    }
    List<SparkPlan> children = new ArrayList<>();
    ScalaLists.<SparkPlan>list(groups.children())
        .forEach(child -> children.add(of(child, others, as)));
    return groups.withNewChildren(ScalaLists.seq(children));
  }

  /** Whether a node delegates to those that make groups. */
  static boolean areInputs(SparkPlan groups) {
    return of(groups).stream().allMatch(StageInputExec.class::isInstance);
  }
}
