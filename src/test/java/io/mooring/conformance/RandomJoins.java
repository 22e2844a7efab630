package io.mooring.conformance;

import java.util.List;
import java.util.stream.Collectors;

/** Random queries over two tables, or over one twice. */
final class RandomJoins {
  private static final int MOST_ROWS = 3_000;

  private final Dice dice;
  private final TestTable left;
  private final TestTable right;
  private final RandomExpressions leftValues;
  private final RandomExpressions rightValues;
  private final RandomPredicates leftPredicates;
  private final RandomPredicates rightPredicates;

  RandomJoins(Dice dice, TestTable left, TestTable other) {
    this.dice = dice;
    this.left = left;
    this.right = dice.oneIn(4) ? left : other;
    this.leftValues = new RandomExpressions(dice, left, "a");
    this.rightValues = new RandomExpressions(dice, right, "b");
    this.leftPredicates = new RandomPredicates(dice, left, leftValues);
    this.rightPredicates = new RandomPredicates(dice, right, rightValues);
  }

  String next() {
    return switch (dice.between(0, 3)) {
      case 0 -> union();
      case 1 -> semi();
      default -> aggregated();
    };
  }

  /** Columns of both that can be equal. */
  private String condition() {
    TestColumn key = dice.one(left.where(it -> !it.isNested()));
    List<TestColumn> alike =
        right.where(it -> it.type().equals(key.type()) || (it.isNumber() && key.isNumber()));
    if (alike.isEmpty()) {
      return leftValues.column(left.columns().get(0))
          + " = "
          + rightValues.column(right.columns().get(0));
    }
    return leftValues.column(key)
        + dice.one(" = ", " = ", " <=> ")
        + rightValues.column(dice.one(alike));
  }

  private String aggregated() {
    TestColumn key = dice.one(left.where(TestColumn::hasExactOrder));
    String sum = leftValues.column(dice.one(left.where(TestColumn::hasExactSum)));
    String other = rightValues.column(dice.one(right.where(TestColumn::hasExactSum)));
    return "select "
        + leftValues.column(key)
        + ", count(*), sum("
        + sum
        + "), max("
        + other
        + ") from "
        + left.view()
        + " a "
        + dice.one("join ", "join ", "left join ", "full join ")
        + right.view()
        + " b on "
        + condition()
        + " where "
        + (dice.oneIn(2) ? leftPredicates.next(1) + " and " : "")
        + rightPredicates.next(2)
        + " group by "
        + leftValues.column(key);
  }

  private String semi() {
    return "select "
        + leftValues.value()
        + " as o from "
        + left.view()
        + " a left "
        + dice.one("semi", "anti")
        + " join (select * from "
        + right.view()
        + " b where "
        + rightPredicates.next(2)
        + ") b on "
        + condition()
        + " where "
        + leftPredicates.next(1);
  }

  private String union() {
    List<TestColumn> columns = dice.some(left.columns(), 3);
    String names = columns.stream().map(leftValues::column).collect(Collectors.joining(", "));
    String one = "select " + names + " from " + left.view() + " a where ";
    return one
        + leftPredicates.next(2)
        + " union all "
        + one
        + leftPredicates.next(2)
        + (dice.oneIn(3) ? " limit " + MOST_ROWS * 10 : "");
  }

  /** A condition with a query in it. */
  String subquery(RandomPredicates predicates) {
    TestColumn key = dice.one(left.where(TestColumn::small));
    TestColumn other = dice.one(right.where(TestColumn::small));
    String inner = " from " + right.view() + " b where " + rightPredicates.next(1);
    String column = leftValues.column(key);
    String name = rightValues.column(other);
    String condition =
        dice.any(
            () -> column + dice.one(" > ", " = ") + "(select max(" + name + ")" + inner + ")",
            () -> column + dice.one(" in ", " not in ") + "(select " + name + inner + ")",
            () -> "exists (select 1" + inner + " and " + name + " = " + column + ")",
            () -> column + " < (select avg(" + name + ")" + inner + ")");
    return "select "
        + leftValues.value()
        + " as o, "
        + column
        + " from "
        + left.view()
        + " a where "
        + condition
        + (dice.oneIn(2) ? "" : " and " + predicates.next(2));
  }
}
