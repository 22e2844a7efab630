package io.mooring.conformance;

import java.util.ArrayList;
import java.util.List;

/** Random aggregates whose results depend neither on the order of rows nor on how they are cut. */
final class RandomAggregates {
  private final Dice dice;
  private final TestTable table;
  private final RandomExpressions values;
  private final RandomPredicates predicates;

  RandomAggregates(
      Dice dice, TestTable table, RandomExpressions values, RandomPredicates predicates) {
    this.dice = dice;
    this.table = table;
    this.values = values;
    this.predicates = predicates;
  }

  /** Several, with commas between. */
  String list() {
    List<String> calls = new ArrayList<>();
    int count = dice.between(1, 4);
    for (int i = 0; i < count; i++) {
      calls.add(call() + " as a" + i);
    }
    return String.join(", ", calls);
  }

  /** For HAVING. */
  String condition() {
    TestColumn column = dice.one(table.where(TestColumn::hasExactSum));
    return dice.any(
        () -> "count(*) > " + dice.between(0, 20),
        () -> "sum(" + values.column(column) + ") > 0",
        () -> "min(" + values.column(column) + ") is not null");
  }

  /** One of them. */
  String call() {
    String call =
        dice.any(this::count, this::sum, this::extreme, this::extreme, this::sum, this::rare);
    return dice.oneIn(10) ? call + " filter (where " + predicates.simple() + ")" : call;
  }

  private String count() {
    TestColumn column = dice.one(table.columns());
    TestColumn plain = dice.one(table.where(it -> !it.isNested()));
    return dice.any(
        () -> "count(*)",
        () -> "count(1)",
        () -> "count(" + values.column(column) + ")",
        () -> "count(distinct " + values.column(plain) + ")");
  }

  private String sum() {
    TestColumn column = dice.one(table.where(TestColumn::hasExactSum));
    String name = values.column(column);
    return dice.any(
        () -> "sum(" + name + ")",
        () -> "avg(" + name + ")",
        () -> "try_sum(" + name + ")",
        () -> "sum(distinct " + name + ")",
        () -> "sum(" + values.smallNumber(2) + ")",
        () -> "sum(case when " + predicates.simple() + " then " + name + " else 0 end)",
        () -> "sum(cast(" + values.smallNumber(1) + " as double) * 0.25D)");
  }

  /** Zeros of either sign are equal: which one is kept depends on the order. */
  private String extreme() {
    TestColumn column = dice.one(table.where(it -> !it.isNested()));
    String call = dice.one("min(", "max(") + values.column(column) + ")";
    return column.isFloating() ? call + " + float(0)" : call;
  }

  private String rare() {
    TestColumn exact = dice.one(table.where(TestColumn::hasExactOrder));
    TestColumn integer = dice.one(table.where(TestColumn::isInteger));
    return dice.any(
        () -> "count_if(" + predicates.simple() + ")",
        () -> "bool_or(" + predicates.simple() + ")",
        () -> "bit_xor(" + values.column(integer) + ")",
        () -> "sort_array(collect_set(" + values.column(exact) + "))",
        () -> "max(length(cast(" + values.column(integer) + " as string)))");
  }
}
