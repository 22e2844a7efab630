package io.mooring.conformance;

import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Random scalar sub-queries that aggregate one table, each under conditions of its own. */
final class RandomSubqueries {
  private final Dice dice;
  private final TestTable table;
  private final RandomAggregates aggregates;
  private final RandomPredicates predicates;

  RandomSubqueries(
      Dice dice, TestTable table, RandomAggregates aggregates, RandomPredicates predicates) {
    this.dice = dice;
    this.table = table;
    this.aggregates = aggregates;
    this.predicates = predicates;
  }

  /** A query of one row. */
  String next() {
    return IntStream.range(0, dice.between(2, 5))
        .mapToObj(i -> "(select " + aggregates.call() + from() + ") as s" + i)
        .collect(Collectors.joining(", ", "select ", ""));
  }

  private String from() {
    String condition = dice.oneIn(3) ? predicates.next(2) : predicates.simple();
    return " from " + table.view() + " a" + (dice.oneIn(6) ? "" : " where " + condition);
  }
}
