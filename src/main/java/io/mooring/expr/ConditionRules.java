package io.mooring.expr;

import io.mooring.catalyst.TreeNodes;
import io.mooring.columnar.ScalarTypes;
import io.mooring.expr.DeviceExpr.CaseWhen;
import io.mooring.expr.DeviceExpr.Choice;
import io.mooring.expr.DeviceExpr.Comparison;
import io.mooring.expr.DeviceExpr.Comparison.Operator;
import io.mooring.expr.DeviceExpr.Logical;
import io.mooring.expr.DeviceExpr.Mode;
import io.mooring.expr.ExpressionRule.ExpressionTranslator;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.And;
import org.apache.spark.sql.catalyst.expressions.BinaryComparison;
import org.apache.spark.sql.catalyst.expressions.Coalesce;
import org.apache.spark.sql.catalyst.expressions.EqualNullSafe;
import org.apache.spark.sql.catalyst.expressions.EqualTo;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GreaterThan;
import org.apache.spark.sql.catalyst.expressions.GreaterThanOrEqual;
import org.apache.spark.sql.catalyst.expressions.Greatest;
import org.apache.spark.sql.catalyst.expressions.If;
import org.apache.spark.sql.catalyst.expressions.In;
import org.apache.spark.sql.catalyst.expressions.InSet;
import org.apache.spark.sql.catalyst.expressions.IsNaN;
import org.apache.spark.sql.catalyst.expressions.IsNotNull;
import org.apache.spark.sql.catalyst.expressions.IsNull;
import org.apache.spark.sql.catalyst.expressions.KnownFloatingPointNormalized;
import org.apache.spark.sql.catalyst.expressions.KnownNotNull;
import org.apache.spark.sql.catalyst.expressions.Least;
import org.apache.spark.sql.catalyst.expressions.LessThan;
import org.apache.spark.sql.catalyst.expressions.LessThanOrEqual;
import org.apache.spark.sql.catalyst.expressions.NaNvl;
import org.apache.spark.sql.catalyst.expressions.Not;
import org.apache.spark.sql.catalyst.expressions.Or;
import org.apache.spark.sql.catalyst.optimizer.NormalizeNaNAndZero;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import scala.Tuple2;
import scala.jdk.javaapi.CollectionConverters;

/** Translations of comparisons, logic and conditionals. */
final class ConditionRules {
  private static final int MOST_NANVLS = 6;
  private static final String INSERTED = "(inserted by Spark)";

  static final List<ExpressionRule<?>> RULES =
      List.of(
          new ExpressionRule<>(
              EqualTo.class, "a = b", "", (e, t) -> compared(Operator.EQUAL, e, t)),
          new ExpressionRule<>(
              EqualNullSafe.class,
              "a <=> b",
              "",
              (e, t) -> compared(Operator.EQUAL_NULL_SAFE, e, t)),
          new ExpressionRule<>(
              LessThan.class, "a < b", "", (e, t) -> compared(Operator.LESS, e, t)),
          new ExpressionRule<>(
              LessThanOrEqual.class,
              "a <= b",
              "",
              (e, t) -> compared(Operator.LESS_OR_EQUAL, e, t)),
          new ExpressionRule<>(
              GreaterThan.class, "a > b", "", (e, t) -> compared(Operator.GREATER, e, t)),
          new ExpressionRule<>(
              GreaterThanOrEqual.class,
              "a >= b",
              "",
              (e, t) -> compared(Operator.GREATER_OR_EQUAL, e, t)),
          new ExpressionRule<>(
              And.class,
              "a and b",
              "",
              (e, t) -> new Logical(true, t.translate(e.left()), t.translate(e.right()))),
          new ExpressionRule<>(
              Or.class,
              "a or b",
              "",
              (e, t) -> new Logical(false, t.translate(e.left()), t.translate(e.right()))),
          new ExpressionRule<>(Not.class, "not a", "", (e, t) -> not(t.translate(e.child()))),
          new ExpressionRule<>(IsNull.class, "a is null", "", (e, t) -> isNull(e.child(), t)),
          new ExpressionRule<>(
              IsNotNull.class, "a is not null", "", (e, t) -> not(isNull(e.child(), t))),
          new ExpressionRule<>(
              IsNaN.class, "isnan(a)", "", (e, t) -> isNan(t.translate(e.child()))),
          new ExpressionRule<>(In.class, "a in (b, c)", "", ConditionRules::in),
          new ExpressionRule<>(
              InSet.class, "a in (more than 10)", "not floating point", ConditionRules::inSet),
          new ExpressionRule<>(
              org.apache.spark.sql.catalyst.expressions.CaseWhen.class,
              "case when",
              "",
              ConditionRules::caseWhen),
          new ExpressionRule<>(
              If.class,
              "if(a, b, c)",
              "",
              (e, t) ->
                  new CaseWhen(
                      List.of(t.translate(e.predicate())),
                      List.of(t.translate(e.trueValue())),
                      t.translate(e.falseValue()))),
          new ExpressionRule<>(
              Coalesce.class,
              "coalesce(a, b)",
              "",
              (e, t) -> new Choice(Choice.Kind.FIRST, t.all(e.children()))),
          new ExpressionRule<>(
              Greatest.class,
              "greatest(a, b)",
              "",
              (e, t) -> new Choice(Choice.Kind.GREATEST, t.all(e.children()))),
          new ExpressionRule<>(
              Least.class,
              "least(a, b)",
              "",
              (e, t) -> new Choice(Choice.Kind.LEAST, t.all(e.children()))),
          new ExpressionRule<>(
              NaNvl.class,
              "nanvl(a, b)",
              "at most " + MOST_NANVLS + " in each other",
              ConditionRules::nanvl),
          new ExpressionRule<>(KnownNotNull.class, INSERTED, "", (e, t) -> t.translate(e.child())),
          new ExpressionRule<>(
              KnownFloatingPointNormalized.class, INSERTED, "", (e, t) -> t.translate(e.child())),
          new ExpressionRule<>(
              NormalizeNaNAndZero.class,
              INSERTED,
              "",
              (e, t) ->
                  new Unary(
                      Unary.Operator.NORMALIZE_NAN_AND_ZERO,
                      t.translate(e.child()),
                      e.dataType(),
                      Mode.LEGACY)));

  private ConditionRules() {}

  private static DeviceExpr compared(Operator operator, BinaryComparison e, ExpressionTranslator t)
      throws UnsupportedExpressionException {
    DataType left = e.left().dataType();
    if (!left.equals(e.right().dataType())) {
      throw new UnsupportedExpressionException(
          e.prettyName() + " of " + left.sql() + " and " + e.right().dataType().sql());
    }
    return new Comparison(operator, t.translate(e.left()), t.translate(e.right()));
  }

  private static DeviceExpr not(DeviceExpr child) {
    return new Unary(Unary.Operator.NOT, child, DataTypes.BooleanType, Mode.LEGACY);
  }

  private static DeviceExpr isNull(Expression child, ExpressionTranslator t)
      throws UnsupportedExpressionException {
    return new Unary(
        Unary.Operator.IS_NULL, t.translate(child), DataTypes.BooleanType, Mode.LEGACY);
  }

  private static DeviceExpr isNan(DeviceExpr child) {
    return new Unary(Unary.Operator.IS_NAN, child, DataTypes.BooleanType, Mode.LEGACY);
  }

  /** Each doubles the number of expressions in its first argument, which has two uses. */
  private static DeviceExpr nanvl(NaNvl e, ExpressionTranslator t)
      throws UnsupportedExpressionException {
    if (e.collect(TreeNodes.replacement(it -> it instanceof NaNvl ? it : null)).size()
        > MOST_NANVLS) {
      throw new UnsupportedExpressionException(
          "more than " + MOST_NANVLS + " calls of nanvl in each other");
    }
    DeviceExpr value = t.translate(e.left());
    return new CaseWhen(List.of(isNan(value)), List.of(t.translate(e.right())), value);
  }

  /**
   * IN as comparisons with each element where the list has columns, or NaN, which equals itself.
   */
  private static DeviceExpr in(In e, ExpressionTranslator t) throws UnsupportedExpressionException {
    DeviceExpr value = t.translate(e.value());
    List<DeviceExpr> list = t.all(e.list());
    if (list.isEmpty()) {
      throw new UnsupportedExpressionException("in an empty list");
    }
    boolean constants = list.stream().allMatch(DeviceExpr.Literal.class::isInstance);
    if (constants && !ScalarTypes.isFloating(value.type())) {
      return literals(value, list.stream().map(DeviceExpr.Literal.class::cast).toList());
    }
    DeviceExpr found = new Comparison(Operator.EQUAL, value, list.get(0));
    for (DeviceExpr candidate : list.subList(1, list.size())) {
      found = new Logical(false, found, new Comparison(Operator.EQUAL, value, candidate));
    }
    return found;
  }

  /**
   * IN with a set of constants, but not of floating-point numbers: Spark's set tells -0.0 from 0.0.
   */
  private static DeviceExpr inSet(InSet e, ExpressionTranslator t)
      throws UnsupportedExpressionException {
    DataType type = e.child().dataType();
    if (ScalarTypes.isFloating(type) || e.hset().isEmpty()) {
      throw new UnsupportedExpressionException("in a set of " + e.hset().size() + " " + type.sql());
    }
    List<DeviceExpr.Literal> values = new ArrayList<>();
    CollectionConverters.asJava(e.hset())
        .forEach(value -> values.add(new DeviceExpr.Literal(value, type)));
    return literals(t.translate(e.child()), values);
  }

  private static DeviceExpr literals(DeviceExpr value, List<DeviceExpr.Literal> list) {
    List<DeviceExpr.Literal> values = list.stream().filter(it -> it.value() != null).toList();
    if (values.isEmpty()) {
      return new Comparison(Operator.EQUAL, value, list.get(0));
    }
    return new DeviceExpr.In(value, values, values.size() < list.size());
  }

  private static DeviceExpr caseWhen(
      org.apache.spark.sql.catalyst.expressions.CaseWhen e, ExpressionTranslator t)
      throws UnsupportedExpressionException {
    List<DeviceExpr> conditions = new ArrayList<>();
    List<DeviceExpr> values = new ArrayList<>();
    for (Tuple2<Expression, Expression> branch : CollectionConverters.asJava(e.branches())) {
      conditions.add(t.translate(branch._1()));
      values.add(t.translate(branch._2()));
    }
    DeviceExpr otherwise =
        e.elseValue().isDefined()
            ? t.translate(e.elseValue().get())
            : new DeviceExpr.Literal(null, e.dataType());
    return new CaseWhen(List.copyOf(conditions), List.copyOf(values), otherwise);
  }
}
