package io.mooring.spark.plan.aggregates;

import static io.mooring.catalyst.ScalaLists.list;

import io.mooring.catalyst.TreeNodes;
import io.mooring.stage.program.SupportedWindows;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.window.WindowExec;

/**
 * What an operator decides by the order in which rows come to it, among rows that are equal for the
 * query.
 */
final class ChosenRows {
  private ChosenRows() {}

  /**
   * The logical nodes of operators that decide the same in several places of a plan. Spark shares
   * the rows of an exchange between them, so that they decide alike.
   */
  static Set<LogicalPlan> repeated(SparkPlan plan) {
    List<SparkPlan> choices = new ArrayList<>();
    TreeNodes.forEach(
        plan,
        node -> {
          if (of(node).isPresent()) {
            choices.add(node);
          }
        });
    Set<LogicalPlan> twice = Collections.newSetFromMap(new IdentityHashMap<>());
    for (SparkPlan choice : choices) {
      LogicalPlan logical = ParentRequirements.logical(choice);
      if (logical != null && choices.stream().filter(choice::sameResult).count() > 1) {
        twice.add(logical);
      }
    }
    return twice;
  }

  /** What the operator decides, in words; empty where the order does not matter. */
  static Optional<String> of(SparkPlan operator) {
    if (ParentRequirements.limits(operator)) {
      return Optional.of("the choice of rows within a limit");
    }
    return operator instanceof WindowExec window
            && !SupportedWindows.areDeterministic(list(window.windowExpression()))
        ? Optional.of("the number of one of several equal rows")
        : Optional.empty();
  }
}
