package io.mooring.stage.program;

import io.mooring.catalyst.ScalaLists;
import io.mooring.expr.CatalystTranslator;
import io.mooring.expr.UnsupportedExpressionException;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.plans.ExistenceJoin;
import org.apache.spark.sql.catalyst.plans.JoinType;
import org.apache.spark.sql.catalyst.plans.LeftAnti$;
import org.apache.spark.sql.catalyst.plans.LeftSemi$;
import org.apache.spark.sql.execution.joins.BroadcastHashJoinExec;

/** The conditions of joins that look for one match of a row: semi, anti and existence joins. */
public final class MatchConditions {
  private MatchConditions() {}

  /**
   * Whether the condition of such a join may raise an error that depends on the kind of join. Spark
   * looks at no further rows once one matches, and a sort-merge join comes to them in another order
   * than a hash join.
   */
  public static boolean mayRaise(BroadcastHashJoinExec join) {
    if (join.condition().isEmpty() || !lookForOneMatch(join.joinType())) {
      return false;
    }
    List<Attribute> columns = new ArrayList<>(ScalaLists.list(join.left().output()));
    columns.addAll(ScalaLists.list(join.right().output()));
    try {
      return new CatalystTranslator(columns).translate(join.condition().get()).canRaise();
    } catch (UnsupportedExpressionException e) {
      return true;
    }
  }

  private static boolean lookForOneMatch(JoinType type) {
    return type == LeftSemi$.MODULE$ || type == LeftAnti$.MODULE$ || type instanceof ExistenceJoin;
  }
}
