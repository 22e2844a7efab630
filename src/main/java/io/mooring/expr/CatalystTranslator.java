package io.mooring.expr;

import io.mooring.columnar.ScalarTypes;
import io.mooring.expr.ExpressionRule.ExpressionTranslator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.execution.ScalarSubquery;
import org.apache.spark.sql.types.DataType;
import scala.jdk.javaapi.CollectionConverters;

/** Translates Catalyst expressions on the driver. Not thread-safe. */
public final class CatalystTranslator implements ExpressionTranslator {
  private static final Map<Class<?>, ExpressionRule<?>> RULES = new LinkedHashMap<>();

  static {
    Stream.of(
            ConditionRules.RULES,
            ArithmeticRules.RULES,
            BitRules.RULES,
            CastRules.RULES,
            DateRules.RULES,
            TimestampRules.RULES,
            StringRules.RULES,
            StringEditRules.RULES,
            StringMatchRules.RULES,
            RegexRules.RULES)
        .flatMap(List::stream)
        .forEach(rule -> RULES.put(rule.of(), rule));
  }

  private final List<Attribute> input;

  /**
   * @param input the columns that expressions may refer to; their order gives the ordinals
   */
  public CatalystTranslator(List<Attribute> input) {
    this.input = input;
  }

  /** The rules, each for one class of expressions. */
  static Iterable<ExpressionRule<?>> rules() {
    return RULES.values();
  }

  /**
   * The same expression for the device. Sub-queries must have their results.
   *
   * @throws UnsupportedExpressionException for what the GPU would not evaluate exactly as Spark
   */
  @Override
  public DeviceExpr translate(Expression expression) throws UnsupportedExpressionException {
    if (expression instanceof Attribute attribute) {
      return column(attribute);
    } else if (expression instanceof Literal literal) {
      return literal(literal.value(), literal);
    } else if (expression instanceof ScalarSubquery subquery) {
      return literal(subquery.eval(null), subquery);
    } else if (expression instanceof Alias alias) {
      return translate(alias.child());
    }
    ExpressionRule<?> rule = RULES.get(expression.getClass());
    if (rule == null) {
      throw new UnsupportedExpressionException("expression " + expression.prettyName());
    }
    require(expression.dataType(), expression);
    for (Expression child : CollectionConverters.asJava(expression.children())) {
      require(child.dataType(), expression);
    }
    return rule.apply(expression, this);
  }

  private DeviceExpr column(Attribute attribute) throws UnsupportedExpressionException {
    for (int i = 0; i < input.size(); i++) {
      if (input.get(i).exprId().equals(attribute.exprId())) {
        return new DeviceExpr.InputColumn(i, attribute.dataType());
      }
    }
    throw new UnsupportedExpressionException("unknown column " + attribute.name());
  }

  private static DeviceExpr literal(Object value, Expression expression)
      throws UnsupportedExpressionException {
    require(expression.dataType(), expression);
    return new DeviceExpr.Literal(value, expression.dataType());
  }

  private static void require(DataType type, Expression expression)
      throws UnsupportedExpressionException {
    if (!ScalarTypes.isSupported(type)) {
      throw new UnsupportedExpressionException(expression.prettyName() + " with " + type.sql());
    }
  }
}
