package io.mooring.stage.program;

import static io.mooring.catalyst.ScalaLists.list;

import io.mooring.catalyst.LogicalOperators;
import io.mooring.catalyst.ScalaLists;
import io.mooring.expr.UnsupportedExpressionException;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.plans.logical.Aggregate;
import org.apache.spark.sql.catalyst.plans.logical.Join;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Window;

/** Recognizes windows over groups that the GPU is expected to compute. */
public final class SupportedWindows {
  private SupportedWindows() {}

  /**
   * Whether the GPU supports a window, whose results are the same for any order of the rows below,
   * so that each executor may compute it by itself.
   */
  public static boolean supports(Window window) {
    List<NamedExpression> added = list(window.windowExpressions());
    return isOverGroups(window.child()) && areDeterministic(added) && isTranslated(window);
  }

  /**
   * Whether functions have the same results whichever of equal rows come first, unlike row numbers.
   */
  public static boolean areDeterministic(List<NamedExpression> functions) {
    return WindowFrame.areDeterministic(functions);
  }

  private static boolean isTranslated(Window window) {
    try {
      new WindowTranslator(list(window.child().output()), SubqueryResults.EXPECTED)
          .translate(
              list(window.windowExpressions()),
              list(window.partitionSpec()),
              list(window.orderSpec()));
      return true;
    } catch (UnsupportedExpressionException e) {
      return false;
    }
  }

  private static boolean isOverGroups(LogicalPlan plan) {
    boolean passes = plan instanceof Join || LogicalOperators.passesRows(plan);
    return plan instanceof Aggregate
        || (passes
            && ScalaLists.<LogicalPlan>list(plan.children()).stream()
                .anyMatch(SupportedWindows::isOverGroups));
  }
}
