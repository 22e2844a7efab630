package io.mooring.expr.device;

import ai.rapids.cudf.BinaryOp;
import ai.rapids.cudf.BinaryOperable;
import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.ColumnView;
import ai.rapids.cudf.Scalar;
import io.mooring.expr.DeviceExpr;
import io.mooring.expr.DeviceExpr.Comparison.Operator;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Conditionals, with all branches evaluated for all rows. A branch that can fail is masked, so that
 * only rows count for which Spark would evaluate it.
 */
final class Conditionals {
  private Conditionals() {}

  static ColumnView values(DeviceExpr.Logical logical, Evaluation e) {
    BinaryOperable left = e.operand(logical.left());
    ColumnVector reached = e.reached();
    if (logical.right().canFail()) {
      // False decides AND and true decides OR; null leaves both open.
      ColumnView open = e.asColumn(left);
      ColumnVector decided = e.isTrue(logical.and() ? e.not(open) : (ColumnVector) open);
      reached = and(reached, e.not(decided), e);
    }
    BinaryOp operator = logical.and() ? BinaryOp.NULL_LOGICAL_AND : BinaryOp.NULL_LOGICAL_OR;
    return e.test(operator, left, e.operand(logical.right(), reached));
  }

  private static ColumnVector and(@Nullable ColumnVector rows, ColumnVector more, Evaluation e) {
    return rows == null ? more : e.test(BinaryOp.LOGICAL_AND, rows, more);
  }

  static ColumnView values(DeviceExpr.CaseWhen branches, Evaluation e) {
    boolean masked = branches.canFail();
    List<ColumnVector> conditions = new ArrayList<>();
    List<BinaryOperable> values = new ArrayList<>();
    ColumnVector reached = e.reached();
    for (int i = 0; i < branches.conditions().size(); i++) {
      ColumnVector condition = e.column(branches.conditions().get(i), reached);
      conditions.add(condition);
      ColumnVector taken = masked ? and(reached, e.isTrue(condition), e) : null;
      values.add(e.operand(branches.values().get(i), taken));
      reached = masked ? and(reached, e.not(e.isTrue(condition)), e) : null;
    }
    BinaryOperable chosen = e.operand(branches.otherwise(), reached);
    for (int i = conditions.size() - 1; i >= 0; i--) {
      chosen = e.select(conditions.get(i), values.get(i), chosen);
    }
    return e.asColumn(chosen);
  }

  static ColumnView values(DeviceExpr.Choice choice, Evaluation e) {
    List<DeviceExpr> children = choice.children();
    ColumnVector chosen = e.column(children.get(0));
    for (DeviceExpr child : children.subList(1, children.size())) {
      chosen =
          switch (choice.kind()) {
            case FIRST -> firstOf(chosen, child, e);
            case GREATEST -> better(Operator.GREATER, chosen, child, e);
            case LEAST -> better(Operator.LESS, chosen, child, e);
          };
    }
    return chosen;
  }

  private static ColumnVector firstOf(ColumnVector chosen, DeviceExpr next, Evaluation e) {
    if (chosen.getNullCount() == 0) {
      return chosen;
    }
    ColumnVector missing = e.keep(chosen.isNull());
    ColumnVector reached = next.canFail() ? and(e.reached(), missing, e) : e.reached();
    return e.select(missing, e.operand(next, reached), chosen);
  }

  /** A null loses, and of equal values the first one stays. */
  private static ColumnVector better(
      Operator operator, ColumnVector chosen, DeviceExpr next, Evaluation e) {
    BinaryOperable candidate = e.operand(next);
    if (candidate instanceof Scalar scalar && !scalar.isValid()) {
      return chosen;
    }
    ColumnVector wins = Comparisons.compare(operator, candidate, chosen, next.type(), e);
    ColumnVector taken = e.test(BinaryOp.NULL_LOGICAL_OR, wins, e.keep(chosen.isNull()));
    return e.select(taken, candidate, chosen);
  }
}
