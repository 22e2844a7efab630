package io.mooring.conformance;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Random queries over two tables whose answers do not depend on the order of rows. */
final class RandomStatements {
  private static final int ORDERED = 0;

  private final Dice dice;
  private final TestTable table;
  private final RandomExpressions values;
  private final RandomPredicates predicates;
  private final RandomAggregates aggregates;
  private final RandomSubqueries subqueries;
  private final RandomJoins joins;

  RandomStatements(Dice dice, TestTable table, TestTable other) {
    this.dice = dice;
    this.table = table;
    this.values = new RandomExpressions(dice, table, "a");
    this.predicates = new RandomPredicates(dice, table, values);
    this.aggregates = new RandomAggregates(dice, table, values, predicates);
    this.subqueries = new RandomSubqueries(dice, table, aggregates, predicates);
    this.joins = new RandomJoins(dice, table, other);
  }

  /** The next query. */
  Statement next(boolean asUsersDo) {
    // What a scan can take comes most often; joins and windows cost several times as much.
    int kind = dice.between(0, 22);
    String sql =
        switch (kind) {
          case ORDERED -> ordered();
          case 1 -> windowed();
          case 2 -> "select " + values.risky() + " as r" + from();
          case 3 -> joins.subquery(predicates);
          case 4 -> joins.next();
          case 5 -> subqueries.next();
          case 6, 7, 8, 9 -> "select " + aggregates.list() + from();
          case 10, 11, 12, 13 -> grouped();
          default -> "select " + projection() + from();
        };
    return new Statement(sql, kind == ORDERED, asUsersDo);
  }

  private String from() {
    return " from " + table.view() + " a" + where();
  }

  private String where() {
    return dice.oneIn(5) ? "" : " where " + predicates.next(3);
  }

  private String projection() {
    if (dice.oneIn(6)) {
      return "*";
    }
    int count = dice.between(1, 4);
    String all =
        IntStream.range(0, count)
            .mapToObj(i -> values.value() + " as o" + i)
            .collect(Collectors.joining(", "));
    return dice.oneIn(10) ? all + ", a._metadata.file_name as m" : all;
  }

  private String grouped() {
    if (dice.oneIn(5)) {
      return "select distinct " + String.join(", ", keys()) + from();
    }
    List<String> keys = keys();
    String list = String.join(", ", keys);
    String by = dice.oneIn(6) ? dice.one("rollup(", "cube(") + list + ")" : list;
    String having = dice.oneIn(4) ? " having " + aggregates.condition() : "";
    return "select " + list + ", " + aggregates.list() + from() + " group by " + by + having;
  }

  private List<String> keys() {
    List<String> keys = new ArrayList<>();
    for (TestColumn column : dice.some(table.where(it -> !it.isNested()), 3)) {
      keys.add(dice.oneIn(5) && column.small() ? values.smallNumber(1) : values.column(column));
    }
    // A constant would be the number of a column.
    keys.removeIf(key -> key.matches("-?\\d+"));
    return keys.isEmpty() ? List.of(values.column(table.columns().get(0))) : keys;
  }

  /** By all columns, so that rows that tie are the same. */
  private String ordered() {
    List<String> columns =
        dice.some(table.where(TestColumn::hasExactOrder), 4).stream().map(values::column).toList();
    String order =
        columns.stream()
            .map(column -> column + dice.one("", " desc", " desc nulls first", " nulls last"))
            .collect(Collectors.joining(", "));
    String limit = dice.oneIn(4) ? "" : " limit " + dice.between(0, 60);
    String offset = dice.oneIn(4) ? " offset " + dice.between(0, 30) : "";
    return "select " + String.join(", ", columns) + from() + " order by " + order + limit + offset;
  }

  private String windowed() {
    String key = values.column(dice.one(table.where(it -> !it.isNested())));
    List<TestColumn> sorted = dice.some(table.where(TestColumn::hasExactOrder), 3);
    String columns = sorted.stream().map(values::column).collect(Collectors.joining(", "));
    String sum = values.column(dice.one(table.where(TestColumn::hasExactSum)));
    String call =
        dice.one("rank()", "dense_rank()", "sum(" + sum + ")", "count(*)", "min(" + sum + ")");
    // Equal zeros of a floating-point number are different rows of it.
    return "select "
        + columns
        + ", "
        + call
        + " over (partition by "
        + key
        + " order by "
        + columns
        + ") + 0 as w"
        + from();
  }

  /** Random scalar sub-queries that aggregate one table, each under conditions of its own. */
  private static final class RandomSubqueries {
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
}
