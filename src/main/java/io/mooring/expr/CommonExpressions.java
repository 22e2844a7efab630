package io.mooring.expr;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The expressions that occur more than once in others. Immutable. */
public final class CommonExpressions {
  private final Set<DeviceExpr> common;

  private CommonExpressions(Set<DeviceExpr> common) {
    this.common = common;
  }

  /**
   * Finds the common expressions of some expressions. Columns and constants do not count, and
   * neither does an expression that occurs only within another common one.
   */
  public static CommonExpressions of(Collection<DeviceExpr> expressions) {
    Set<DeviceExpr> once = new HashSet<>();
    Set<DeviceExpr> common = new HashSet<>();
    List<DeviceExpr> open = new ArrayList<>(expressions);
    while (!open.isEmpty()) {
      DeviceExpr expr = open.remove(open.size() - 1);
      if (expr.children().isEmpty()) {
        continue;
      } else if (once.add(expr)) {
        open.addAll(expr.children());
      } else {
        common.add(expr);
      }
    }
    return new CommonExpressions(Set.copyOf(common));
  }

  /** Whether an expression occurs more than once. */
  public boolean contains(DeviceExpr expr) {
    return common.contains(expr);
  }

  /** The expressions, in no order. */
  public Set<DeviceExpr> all() {
    return common;
  }
}
