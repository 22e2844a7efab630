package io.mooring.pushdown.device.ast;

import static org.assertj.core.api.Assertions.assertThat;

import ai.rapids.cudf.DType;
import io.mooring.pushdown.CaseWhen;
import io.mooring.pushdown.Column;
import io.mooring.pushdown.Comparison;
import io.mooring.pushdown.Comparison.Operator;
import io.mooring.pushdown.Constant;
import io.mooring.pushdown.Expr;
import io.mooring.pushdown.In;
import io.mooring.pushdown.IsNull;
import io.mooring.pushdown.Logical;
import io.mooring.pushdown.Not;
import io.mooring.pushdown.StringMatch;
import io.mooring.pushdown.WideningCast;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;

class AstCompilerTest {
  private static final DataType PRICE = DataTypes.createDecimalType(7, 2);
  private static final Column COUNT = new Column("count", DataTypes.IntegerType);
  private static final Column OTHER_COUNT = new Column("other_count", DataTypes.IntegerType);
  private static final Column ID = new Column("id", DataTypes.LongType);
  private static final Column COST = new Column("cost", PRICE);
  private static final Column WIDE_COST = new Column("wide_cost", PRICE);
  private static final Column HUGE = new Column("huge", DataTypes.createDecimalType(38, 2));
  private static final Column SHARE = new Column("share", DataTypes.DoubleType);
  private static final Column NAME = new Column("name", DataTypes.StringType);
  private static final Column FLAG = new Column("flag", DataTypes.BooleanType);
  private static final Map<Column, DType> TYPES =
      Map.of(
          COUNT, DType.INT32,
          OTHER_COUNT, DType.INT32,
          ID, DType.INT64,
          COST, DType.create(DType.DTypeEnum.DECIMAL32, -2),
          WIDE_COST, DType.create(DType.DTypeEnum.DECIMAL64, -2),
          HUGE, DType.create(DType.DTypeEnum.DECIMAL128, -2),
          SHARE, DType.FLOAT64,
          NAME, DType.STRING,
          FLAG, DType.BOOL8);
  private static final Expr LIKE =
      new StringMatch(StringMatch.Kind.CONTAINS, NAME, UTF8String.fromString("q"));
  private static final Expr POSITIVE = compare(Operator.GREATER, COUNT, 0);
  // An input where it is alone with another: two operators are too few.
  private static final Expr LIKE_AND_POSITIVE = and(LIKE, POSITIVE);

  private static CompiledPredicate fused(Expr condition) {
    return new AstCompiler(column -> Objects.requireNonNull(TYPES.get(column)))
        .translate(condition);
  }

  private static String text(Expr condition) {
    CompiledPredicate fused = fused(condition);
    return fused == null ? "nothing" : fused.expression().toString();
  }

  private static List<Expr> inputs(Expr condition) {
    return fused(condition).inputs();
  }

  private static Expr compare(Operator operator, Expr left, Object value) {
    return new Comparison(operator, left, new Constant(value, left.type()));
  }

  private static Expr between(Column column, Object low, Object high) {
    return and(
        compare(Operator.GREATER_OR_EQUAL, column, low),
        compare(Operator.LESS_OR_EQUAL, column, high));
  }

  private static Expr and(Expr left, Expr right) {
    return new Logical(Logical.Operator.AND, left, right);
  }

  private static Expr or(Expr left, Expr right) {
    return new Logical(Logical.Operator.OR, left, right);
  }

  private static int operators(Expr condition) {
    return text(condition).split("\\(", -1).length - text(condition).split("COLUMN\\(", -1).length;
  }

  @Test
  void aRangeIsOneExpressionOverOneColumn() {
    assertThat(text(between(COUNT, 1, 20)))
        .isEqualTo(
            "((LEFT COLUMN(0) GREATER_EQUAL Literal INT32 [1, 0, 0, 0]) NULL_LOGICAL_AND"
                + " (LEFT COLUMN(0) LESS_EQUAL Literal INT32 [20, 0, 0, 0]))");
    assertThat(inputs(between(COUNT, 1, 20))).containsExactly(COUNT);
  }

  @Test
  void decimalsAreComparedAsUnscaledIntegers() {
    Decimal price = Decimal.apply(1234, 7, 2);
    assertThat(text(between(COST, price, price))).contains("Literal INT32 [-46, 4, 0, 0]");
    assertThat(text(between(WIDE_COST, price, price)))
        .contains("Literal INT64 [-46, 4, 0, 0, 0, 0, 0, 0]");
    Expr huge = compare(Operator.LESS, HUGE, Decimal.apply(1234, 38, 2));
    assertThat(inputs(and(between(COST, price, price), huge))).containsExactly(COST, huge);
  }

  @Test
  void columnsAreComparedWhereTheirDeviceTypesAreOne() {
    Expr counts = new Comparison(Operator.LESS, COUNT, OTHER_COUNT);
    Expr costs = new Comparison(Operator.LESS, COST, WIDE_COST);
    Expr both = and(and(counts, costs), POSITIVE);
    assertThat(inputs(both)).containsExactly(COUNT, OTHER_COUNT, costs);
  }

  @Test
  void whatExpressionsDoNotSayIsAnInput() {
    Expr name = compare(Operator.EQUAL, NAME, UTF8String.fromString("a"));
    Expr noName = new IsNull(NAME);
    Expr condition = or(and(LIKE, new Not(POSITIVE)), and(name, or(noName, LIKE)));
    assertThat(inputs(condition)).containsExactly(LIKE, COUNT, name, noName);
  }

  @Test
  void nullConstantsAreNoLiterals() {
    Expr unknown = compare(Operator.LESS, COUNT, null);
    Expr halfUnknown = and(POSITIVE, new Constant(null, DataTypes.BooleanType));
    Expr condition = and(between(ID, 1L, 2L), or(unknown, halfUnknown));
    assertThat(inputs(condition)).containsExactly(ID, unknown, halfUnknown);
    assertThat(fused(halfUnknown)).isNull();
  }

  @Test
  void nanIsGreaterThanNumbers() {
    assertThat(text(between(SHARE, -1.0, 1.0)))
        .contains("NOT((LEFT COLUMN(0) LESS Literal FLOAT64")
        .contains("(LEFT COLUMN(0) LESS_EQUAL Literal FLOAT64")
        .doesNotContain("GREATER");
    Expr nan = compare(Operator.LESS, SHARE, Double.NaN);
    Expr twoColumns = new Comparison(Operator.EQUAL, SHARE, new WideningCast(COUNT, SHARE.type()));
    Expr condition = and(between(ID, 1L, 2L), or(nan, twoColumns));
    assertThat(inputs(condition)).containsExactly(ID, nan, twoColumns);
  }

  @Test
  void integersAreWidenedInTheExpression() {
    Expr condition = new Comparison(Operator.LESS, new WideningCast(COUNT, ID.type()), ID);
    assertThat(text(and(condition, FLAG)))
        .isEqualTo(
            "((CAST_TO_INT64(LEFT COLUMN(0)) LESS LEFT COLUMN(1))"
                + " NULL_LOGICAL_AND LEFT COLUMN(2))");
  }

  @Test
  void shortListsAreEqualities() {
    List<Constant> values = IntStream.range(0, AstCompiler.MAX_LIST).mapToObj(this::count).toList();
    assertThat(operators(new In(COUNT, values, false))).isEqualTo(2 * values.size() - 1);
    assertThat(fused(new In(COUNT, values, true))).isNull();
    List<Constant> more =
        IntStream.rangeClosed(0, AstCompiler.MAX_LIST).mapToObj(this::count).toList();
    assertThat(fused(new In(COUNT, more, false))).isNull();
  }

  private Constant count(int value) {
    return new Constant(value, COUNT.type());
  }

  @Test
  void whatSavesLittleIsNotFused() {
    assertThat(fused(POSITIVE)).isNull();
    assertThat(fused(new Not(new IsNull(COUNT)))).isNull();
    assertThat(fused(LIKE_AND_POSITIVE)).isNull();
    assertThat(fused(new Not(LIKE_AND_POSITIVE))).isNotNull();
    assertThat(fused(COUNT)).isNull();
    assertThat(fused(new CaseWhen(between(COUNT, 1, 2), FLAG, FLAG))).isNull();
  }

  /** In both directions, and with a NOT at the border. */
  @Test
  void largeConditionsAreSplit() {
    Expr toTheLeft = compare(Operator.EQUAL, COUNT, 0);
    Expr toTheRight = toTheLeft;
    for (int i = 1; i < 200; i++) {
      Expr next = compare(Operator.EQUAL, i % 2 == 0 ? COUNT : OTHER_COUNT, i);
      toTheLeft = or(toTheLeft, new Not(next));
      toTheRight = new Not(and(next, toTheRight));
    }
    assertSplit(toTheLeft);
    assertSplit(toTheRight);
  }

  private static void assertSplit(Expr condition) {
    assertThat(operators(condition))
        .isBetween(AstCompiler.MIN_OPERATORS, AstCompiler.MAX_OPERATORS);
    for (Expr input : inputs(condition)) {
      if (!(input instanceof Column)) {
        assertSplit(input);
      }
    }
  }

  /**
   * A smaller condition of the same form is whole, so that the one above was split for its size.
   */
  @Test
  void conditionsUpToTheBoundAreWhole() {
    Expr condition = compare(Operator.EQUAL, COUNT, 0);
    for (int i = 0; i < AstCompiler.MAX_OPERATORS / 2; i++) {
      condition = or(condition, compare(Operator.EQUAL, COUNT, i));
    }
    assertThat(operators(condition)).isEqualTo(AstCompiler.MAX_OPERATORS);
    assertThat(inputs(condition)).containsExactly(COUNT);
    assertThat(inputs(and(between(ID, 1L, 2L), new Not(condition)))).containsExactly(ID, condition);
  }
}
