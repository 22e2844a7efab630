package io.mooring.stage.program;

import io.mooring.catalyst.ScalaLists;
import io.mooring.columnar.ScalarTypes;
import io.mooring.expr.CatalystTranslator;
import io.mooring.expr.DeviceExpr;
import io.mooring.expr.DeviceExpr.Mode;
import io.mooring.expr.Unary;
import io.mooring.expr.UnsupportedExpressionException;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Descending$;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NullsFirst$;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.execution.BaseLimitExec;
import org.apache.spark.sql.execution.GlobalLimitExec;
import org.apache.spark.sql.execution.LocalLimitExec;
import org.apache.spark.sql.execution.SortExec;
import org.apache.spark.sql.execution.TakeOrderedAndProjectExec;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.DataType;

/** Translates limits, and sorts with one or without. */
record TopTranslator(CatalystTranslator translator, SubqueryResults subqueries) {
  /**
   * Translates a sort with a limit. Among rows of equal keys, the GPU may keep others than Spark.
   *
   * @throws UnsupportedExpressionException for what the GPU would not order exactly as Spark
   */
  RowOperator translate(TakeOrderedAndProjectExec limit) throws UnsupportedExpressionException {
    return translate(ScalaLists.list(limit.sortOrder()), limit.offset(), limit.limit());
  }

  /** Translates a limit over the sorted rows of a partition. */
  RowOperator translate(LocalLimitExec limit) throws UnsupportedExpressionException {
    SortExec sort = (SortExec) limit.child();
    return translate(ScalaLists.list(sort.sortOrder()), 0, limit.limit());
  }

  /** Translates a sort of all rows of a partition. */
  RowOperator translate(SortExec sort) throws UnsupportedExpressionException {
    return translate(ScalaLists.list(sort.sortOrder()), 0, RowOperator.Top.ALL);
  }

  /**
   * Translates the sort of a window, which keeps all rows and compares neighbours by its keys.
   *
   * @throws UnsupportedExpressionException for what the GPU would not order exactly as Spark
   */
  RowOperator.Top sorted(List<SortOrder> order) throws UnsupportedExpressionException {
    for (SortOrder key : order) {
      checkOrdered(key.child().dataType());
    }
    return translate(order, 0, RowOperator.Top.ALL);
  }

  /** A limit over rows in any order, of which there is one partition. */
  static RowOperator limit(BaseLimitExec limit) {
    int from = limit instanceof GlobalLimitExec global ? global.offset() : 0;
    int to = limit.limit() < 0 ? RowOperator.Top.ALL : limit.limit();
    return new RowOperator.Top(List.of(), List.of(), from, to);
  }

  private RowOperator.Top translate(List<SortOrder> sorted, int from, int to)
      throws UnsupportedExpressionException {
    List<DeviceExpr> keys = new ArrayList<>();
    List<RowOperator.Top.Order> orders = new ArrayList<>();
    for (SortOrder order : sorted) {
      keys.add(key(order.child()));
      orders.add(
          new RowOperator.Top.Order(
              order.direction() == Descending$.MODULE$,
              order.nullOrdering() == NullsFirst$.MODULE$));
    }
    return new RowOperator.Top(keys, orders, from, to);
  }

  private DeviceExpr key(Expression key) throws UnsupportedExpressionException {
    DataType type = key.dataType();
    DeviceExpr translated = translator.translate(subqueries.in(key));
    if (ScalarTypes.isFloating(type)) {
      // For Spark, zeros are equal, and so are all that are not a number.
      return new Unary(Unary.Operator.NORMALIZE_NAN_AND_ZERO, translated, type, Mode.LEGACY);
    }
    checkOrdered(type);
    return translated;
  }

  /** Refuses types whose values the GPU would not order or compare exactly as Spark. */
  static void checkOrdered(DataType type) throws UnsupportedExpressionException {
    if (ScalarTypes.isFloating(type) || type instanceof BinaryType || !StageScan.isFlat(type)) {
      throw new UnsupportedExpressionException("order of type " + type.sql());
    }
  }
}
