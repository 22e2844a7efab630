package io.mooring.stage.program;

import io.mooring.expr.DeviceExpr;
import io.mooring.stage.program.RowOperator.Join;
import io.mooring.stage.program.RowOperator.Join.Kind;
import io.mooring.stage.program.RowOperator.Join.Side;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;

/**
 * A column of the scan that an inner or semi join compares unchanged with a key of its build side.
 * No row leaves the stage whose value is not among the keys.
 *
 * @param key the ordinal of the key among those of the join
 * @param column the ordinal of the column among those of the scan
 */
public record ScannedKey(Join join, int key, int column) {
  private static final int COMPUTED = -1;

  /**
   * The keys of a stage's operators, up to the first operator that changes rows of the scan or that
   * can raise an error: it has to, for rows that match no key, too.
   */
  public static List<ScannedKey> of(List<RowOperator> operators) {
    List<ScannedKey> found = new ArrayList<>();
    IntUnaryOperator scanned = IntUnaryOperator.identity();
    for (RowOperator operator : operators) {
      if (operator instanceof RowOperator.Project project && !canRaise(project.columns())) {
        scanned = through(project, scanned);
      } else if (operator instanceof Join join && !canRaise(join.keys())) {
        addKeys(join, scanned, found);
        if (join.condition() != null && join.condition().expr().canRaise()) {
          break;
        }
        scanned = through(join, scanned);
      } else if (!(operator instanceof RowOperator.Filter filter)
          || filter.condition().canRaise()) {
        break;
      }
    }
    return found;
  }

  private static boolean canRaise(List<DeviceExpr> expressions) {
    return expressions.stream().anyMatch(DeviceExpr::canRaise);
  }

  private static void addKeys(Join join, IntUnaryOperator scanned, List<ScannedKey> found) {
    if (join.kind() != Kind.INNER && join.kind() != Kind.SEMI) {
      return;
    }
    for (int key = 0; key < join.keys().size(); key++) {
      int column = column(join.keys().get(key), scanned);
      if (column != COMPUTED) {
        found.add(new ScannedKey(join, key, column));
      }
    }
  }

  /** The scan's column of each column of a projection. */
  private static IntUnaryOperator through(RowOperator.Project project, IntUnaryOperator scanned) {
    return at -> column(project.columns().get(at), scanned);
  }

  private static IntUnaryOperator through(Join join, IntUnaryOperator scanned) {
    return at -> {
      Join.Column column = join.output().get(at);
      return column.side() == Side.STREAMED ? scanned.applyAsInt(column.ordinal()) : COMPUTED;
    };
  }

  private static int column(DeviceExpr expr, IntUnaryOperator scanned) {
    return expr instanceof DeviceExpr.InputColumn input
        ? scanned.applyAsInt(input.ordinal())
        : COMPUTED;
  }
}
