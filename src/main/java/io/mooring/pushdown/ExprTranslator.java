package io.mooring.pushdown;

import io.mooring.columnar.ScalarTypes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BinaryOperator;
import org.apache.spark.sql.connector.expressions.Cast;
import org.apache.spark.sql.connector.expressions.Expression;
import org.apache.spark.sql.connector.expressions.GeneralScalarExpression;
import org.apache.spark.sql.connector.expressions.Literal;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/**
 * Translates expressions that Spark pushes down, but none that the scan might evaluate differently
 * than Spark.
 */
public final class ExprTranslator {
  private final Map<String, Expr> columns = new HashMap<>();

  /**
   * @param schema of the scan: every column that may be named
   */
  public ExprTranslator(StructType schema) {
    for (StructField field : schema.fields()) {
      String decimal = UnscaledColumns.decimalOf(field);
      columns.put(
          field.name(),
          decimal == null
              ? new Column(field.name(), field.dataType())
              : new UnscaledValue(new Column(decimal, schema.apply(decimal).dataType())));
    }
  }

  /** The expression for the scan; null when Spark has to evaluate it. */
  public @Nullable Expr translate(Expression expression) {
    if (expression instanceof NamedReference reference) {
      return column(reference);
    } else if (expression instanceof Literal<?> literal) {
      boolean known = ScalarTypes.isSupported(literal.dataType());
      return known ? new Constant(literal.value(), literal.dataType()) : null;
    } else if (expression instanceof Cast cast) {
      return cast(cast);
    } else if (expression instanceof Predicate predicate) {
      return predicate(predicate);
    }
    return expression instanceof GeneralScalarExpression general ? general(general) : null;
  }

  private @Nullable Expr column(NamedReference reference) {
    if (reference.fieldNames().length != 1) {
      return null;
    }
    Expr column = columns.get(reference.fieldNames()[0]);
    return column != null && ScalarTypes.isSupported(column.type()) ? column : null;
  }

  private @Nullable Expr cast(Cast cast) {
    Expr child = translate(cast.expression());
    if (child == null || child.type().equals(cast.dataType())) {
      return child;
    }
    return WideningCast.widens(child.type(), cast.dataType())
        ? new WideningCast(child, cast.dataType())
        : null;
  }

  private @Nullable Expr predicate(Predicate predicate) {
    Expression[] children = predicate.children();
    return switch (predicate.name()) {
      case "ALWAYS_TRUE" -> Constant.TRUE;
      case "ALWAYS_FALSE" -> Constant.FALSE;
      case "AND" -> logical(Logical.Operator.AND, children);
      case "OR" -> logical(Logical.Operator.OR, children);
      case "NOT" -> not(translate(children[0]));
      case "IS_NULL" -> isNull(children[0]);
      case "IS_NOT_NULL" -> not(isNull(children[0]));
      case "IN" -> in(children);
      case "STARTS_WITH" -> text(StringMatch.Kind.STARTS_WITH, children);
      case "ENDS_WITH" -> text(StringMatch.Kind.ENDS_WITH, children);
      case "CONTAINS" -> text(StringMatch.Kind.CONTAINS, children);
      case "CASE_WHEN" -> caseWhen(List.of(children));
      default -> comparison(predicate.name(), children);
    };
  }

  private @Nullable Expr comparison(String name, Expression[] children) {
    return switch (name) {
      case "=" -> compared(Comparison.Operator.EQUAL, children);
      case "<>" -> not(compared(Comparison.Operator.EQUAL, children));
      case "<" -> compared(Comparison.Operator.LESS, children);
      case "<=" -> compared(Comparison.Operator.LESS_OR_EQUAL, children);
      case ">" -> compared(Comparison.Operator.GREATER, children);
      case ">=" -> compared(Comparison.Operator.GREATER_OR_EQUAL, children);
      default -> null;
    };
  }

  private @Nullable Expr compared(Comparison.Operator operator, Expression[] children) {
    return pair(children, (a, b) -> Comparison.of(operator, a, b));
  }

  private @Nullable Expr logical(Logical.Operator operator, Expression[] children) {
    return pair(children, (a, b) -> new Logical(operator, a, b));
  }

  /** Joins two expressions of one type; null when one is not translated or the types differ. */
  private @Nullable Expr pair(Expression[] children, BinaryOperator<Expr> join) {
    Expr left = translate(children[0]);
    Expr right = translate(children[1]);
    boolean same = left != null && right != null && left.type().equals(right.type());
    return same ? join.apply(left, right) : null;
  }

  private static @Nullable Expr not(@Nullable Expr child) {
    return child == null ? null : new Not(child);
  }

  private @Nullable Expr isNull(Expression child) {
    Expr value = translate(child);
    return value == null ? null : new IsNull(value);
  }

  private @Nullable Expr in(Expression[] children) {
    Expr child = translate(children[0]);
    if (child == null || ScalarTypes.isFloating(child.type())) {
      return null;
    }
    List<Constant> values = new ArrayList<>();
    for (Expression candidate : Arrays.asList(children).subList(1, children.length)) {
      if (!(translate(candidate) instanceof Constant value) || !value.type().equals(child.type())) {
        return null;
      }
      values.add(value);
    }
    boolean orNull = values.removeIf(value -> value.value() == null);
    return values.isEmpty() ? null : new In(child, List.copyOf(values), orNull);
  }

  private @Nullable Expr text(StringMatch.Kind kind, Expression[] children) {
    Expr child = translate(children[0]);
    if (child == null || !child.type().equals(DataTypes.StringType)) {
      return null;
    }
    if (translate(children[1]) instanceof Constant constant
        && constant.value() instanceof UTF8String pattern
        && pattern.numBytes() > 0) {
      return new StringMatch(kind, child, pattern);
    }
    return null;
  }

  private @Nullable Expr general(GeneralScalarExpression general) {
    return switch (general.name()) {
      case "+" -> floating(FloatingArithmetic.Operator.ADD, general.children());
      case "-" -> floating(FloatingArithmetic.Operator.SUBTRACT, general.children());
      case "*" -> floating(FloatingArithmetic.Operator.MULTIPLY, general.children());
      case "CASE_WHEN" -> caseWhen(List.of(general.children()));
      default -> null;
    };
  }

  /**
   * @param branches conditions and values in turns, then perhaps the value of ELSE
   */
  private @Nullable Expr caseWhen(List<Expression> branches) {
    if (branches.size() == 1) {
      return translate(branches.get(0));
    }
    Expr condition = translate(branches.get(0));
    Expr then = translate(branches.get(1));
    if (condition == null || then == null) {
      return null;
    }
    List<Expression> others = branches.subList(2, branches.size());
    Expr otherwise = others.isEmpty() ? new Constant(null, then.type()) : caseWhen(others);
    return otherwise != null && otherwise.type().equals(then.type())
        ? new CaseWhen(condition, then, otherwise)
        : null;
  }

  private @Nullable Expr floating(FloatingArithmetic.Operator operator, Expression[] children) {
    if (children.length != 2) {
      return null;
    }
    Expr expr = pair(children, (a, b) -> new FloatingArithmetic(operator, a, b));
    return expr != null && ScalarTypes.isFloating(expr.type()) ? expr : null;
  }
}
