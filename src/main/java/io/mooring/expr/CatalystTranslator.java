package io.mooring.expr;

import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;

/** Translates Catalyst expressions on the driver. Not thread-safe. */
public final class CatalystTranslator {
  private final List<Attribute> input;

  /**
   * @param input the columns that expressions may refer to; their order gives the ordinals
   */
  public CatalystTranslator(List<Attribute> input) {
    this.input = input;
  }

  /**
   * The same expression in our form. Sub-queries must have their results.
   *
   * @throws UnsupportedExpressionException for what the GPU would not evaluate exactly as Spark
   */
  public DeviceExpr translate(Expression expression) throws UnsupportedExpressionException {
    if (expression instanceof Attribute attribute) {
      for (int i = 0; i < input.size(); i++) {
        if (input.get(i).exprId().equals(attribute.exprId())) {
          return new DeviceExpr.InputColumn(i, attribute.dataType());
        }
      }
    }
    throw new UnsupportedExpressionException("expression " + expression.prettyName());
  }
}
