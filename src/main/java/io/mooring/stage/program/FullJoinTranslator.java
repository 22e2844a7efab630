package io.mooring.stage.program;

import static io.mooring.catalyst.ScalaLists.list;

import io.mooring.expr.CatalystTranslator;
import io.mooring.expr.DeviceExpr;
import io.mooring.expr.UnsupportedExpressionException;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.execution.joins.SortMergeJoinExec;
import org.apache.spark.sql.types.DataType;

/**
 * Translates a full outer join.
 *
 * @param streamed the columns of the left side
 */
record FullJoinTranslator(
    SortMergeJoinExec join, List<Attribute> streamed, SubqueryResults subqueries) {
  /**
   * The same join for the device.
   *
   * @param index among the full outer joins of the stage
   * @throws UnsupportedExpressionException for what the GPU would not compute exactly as Spark
   */
  RowOperator.FullJoin translate(int index) throws UnsupportedExpressionException {
    if (join.condition().isDefined()) {
      throw new UnsupportedExpressionException("a condition of a full outer join");
    }
    List<Attribute> build = list(JoinSides.build(join).output());
    List<DeviceExpr> keys = keys(list(join.leftKeys()), streamed);
    List<DeviceExpr> buildKeys = keys(list(join.rightKeys()), build);
    JoinTranslator.checkSameTypes(keys, buildKeys);
    return new RowOperator.FullJoin(index, keys, buildKeys, types(streamed), types(build));
  }

  private List<DeviceExpr> keys(List<Expression> expressions, List<Attribute> columns)
      throws UnsupportedExpressionException {
    CatalystTranslator translator = new CatalystTranslator(columns);
    List<DeviceExpr> keys = new ArrayList<>();
    for (Expression key : expressions) {
      TopTranslator.checkOrdered(key.dataType());
      keys.add(translator.translate(subqueries.in(key)));
    }
    return keys;
  }

  private static List<DataType> types(List<Attribute> columns)
      throws UnsupportedExpressionException {
    List<DataType> types = new ArrayList<>();
    for (Attribute column : columns) {
      if (!StageScan.isFlat(column.dataType())) {
        throw new UnsupportedExpressionException("type " + column.dataType().sql());
      }
      types.add(column.dataType());
    }
    return types;
  }
}
