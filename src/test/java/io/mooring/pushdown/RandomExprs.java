package io.mooring.pushdown;

import io.mooring.columnar.ScalarTypes;
import io.mooring.pushdown.Comparison.Operator;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;

/** Random conditions over the columns of {@link RandomRows}. */
public final class RandomExprs {
  private static final int LONGEST_LIST = 12;
  private static final List<DataType> WIDE =
      List.of(
          DataTypes.ShortType,
          DataTypes.IntegerType,
          DataTypes.LongType,
          DataTypes.FloatType,
          DataTypes.DoubleType);

  private final Random random;

  public RandomExprs(Random random) {
    this.random = random;
  }

  private boolean oneIn(int n) {
    return random.nextInt(n) == 0;
  }

  private <T> T any(List<T> of) {
    return of.get(random.nextInt(of.size()));
  }

  /** A condition of at most so many levels above its comparisons. */
  public Expr condition(int depth) {
    if (depth == 0) {
      return leaf();
    }
    return switch (random.nextInt(12)) {
      case 0 -> new Not(condition(depth - 1));
      case 1 -> new IsNull(condition(depth - 1));
      case 2 -> new CaseWhen(condition(depth - 1), condition(depth - 1), condition(depth - 1));
      case 3 -> Comparison.of(any(List.of(Operator.values())), condition(depth - 1), leaf());
      default ->
          new Logical(
              any(List.of(Logical.Operator.values())),
              condition(oneIn(4) ? 0 : depth - 1),
              condition(oneIn(4) ? 0 : depth - 1));
    };
  }

  private Expr leaf() {
    return switch (random.nextInt(20)) {
      case 0 -> new Constant(oneIn(2) ? null : oneIn(2), DataTypes.BooleanType);
      case 1 -> column(DataTypes.BooleanType);
      case 2, 3 -> text();
      case 4, 5 -> new IsNull(any(RandomRows.COLUMNS));
      case 6, 7, 8 -> list();
      default -> comparison();
    };
  }

  private Column column(DataType type) {
    return any(RandomRows.COLUMNS.stream().filter(column -> column.type().equals(type)).toList());
  }

  private Expr comparison() {
    Expr left = operand();
    Expr right = oneIn(3) ? sameType(left.type()) : constant(left.type());
    return Comparison.of(any(List.of(Operator.values())), left, right);
  }

  private Expr operand() {
    Column column = any(RandomRows.COLUMNS);
    List<DataType> wider =
        WIDE.stream().filter(type -> WideningCast.widens(column.type(), type)).toList();
    if (!wider.isEmpty() && oneIn(2)) {
      return new WideningCast(column, any(wider));
    } else if (ScalarTypes.isFloating(column.type()) && oneIn(3)) {
      return new FloatingArithmetic(
          any(List.of(FloatingArithmetic.Operator.values())), column, constant(column.type()));
    }
    return column;
  }

  private Expr sameType(DataType type) {
    List<Expr> candidates = new ArrayList<>();
    for (Column column : RandomRows.COLUMNS) {
      if (column.type().equals(type)) {
        candidates.add(column);
      } else if (WideningCast.widens(column.type(), type)) {
        candidates.add(new WideningCast(column, type));
      }
    }
    return any(candidates);
  }

  private Constant constant(DataType type) {
    return new Constant(oneIn(15) ? null : RandomRows.value(type, random), type);
  }

  private Expr list() {
    Column column =
        any(
            RandomRows.COLUMNS.stream()
                .filter(candidate -> !ScalarTypes.isFloating(candidate.type()))
                .toList());
    List<Constant> values = new ArrayList<>();
    for (int i = random.nextInt(LONGEST_LIST); i >= 0; i--) {
      Object value = RandomRows.value(column.type(), random);
      values.add(new Constant(value, column.type()));
    }
    return new In(column, List.copyOf(values), oneIn(5));
  }

  private Expr text() {
    return new StringMatch(
        any(List.of(StringMatch.Kind.values())),
        column(DataTypes.StringType),
        UTF8String.fromString(any(List.of("a", "ab", "c\u00e9", "bc"))));
  }
}
