package io.mooring.expr.device;

import io.mooring.expr.device.RandomOperands.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Random queries over tables with the columns of {@link RandomValues}, with random expressions in
 * every place that takes them: filters, projections, keys, aggregates, joins, orders and unions.
 */
final class RandomExpressionQueries {
  /** The table {@code s} has few rows, for the build sides of joins. */
  private static final List<String> JOINS =
      List.of("join", "left join", "right join", "left semi join", "left anti join");

  // Columns of t, which has those without a suffix, and of s, which has the others.
  private static final List<String> KEYS =
      List.of(
          "i = i_tame",
          "c = c_tame",
          "b = b_tame",
          "y = y_tame",
          "l = i_tame",
          "t = t_tame",
          "p5 = p9_tame",
          "d = d_tame",
          "f <=> f_tame",
          "c <=> c_tame",
          "ts = cast(t_tame as timestamp)",
          "lower(c) = lower(c_tame)",
          "length(c) = y_tame",
          "month(t) = abs(s_tame)",
          "cast(i as string) = cast(y_tame as string)",
          "pmod(l, 41) - 20 = l_tame",
          "coalesce(p18, 0) = p18_tame",
          "substring(c, 1, 1) = c_tame and b = b_tame");

  // Their sums do not depend on the order in which they are added up.
  private static final List<Kind> EXACT = List.of(Kind.BYTE, Kind.SHORT, Kind.INT, Kind.DECIMAL);

  private final Random random;
  private final RandomChoices choices;
  private final RandomExpressions expressions;

  RandomExpressionQueries(Random random) {
    this.random = random;
    this.choices = new RandomChoices(random);
    this.expressions = new RandomExpressions(random);
  }

  String next() {
    return choices.any(
        this::projected, this::projected, this::grouped, this::grouped, this::joined, this::sorted);
  }

  private String value() {
    return expressions.of(choices.one(List.of(Kind.values())), 1 + random.nextInt(2));
  }

  private String values() {
    return list(1 + random.nextInt(3), i -> value() + " x" + i);
  }

  private static String list(int count, IntFunction<String> one) {
    return IntStream.range(0, count).mapToObj(one).collect(Collectors.joining(", "));
  }

  private String condition() {
    return expressions.of(Kind.BOOLEAN, 1 + random.nextInt(3));
  }

  private String where() {
    return random.nextInt(3) == 0 ? "" : " where " + condition();
  }

  private String from() {
    return switch (random.nextInt(6)) {
      case 0 -> "(select * from a" + where() + " union all select * from a" + where() + ")";
      case 1 -> "(select *, " + value() + " z from a" + where() + ")";
      default -> "a";
    };
  }

  private String projected() {
    String distinct = random.nextInt(6) == 0 ? "distinct " : "";
    return "select " + distinct + values() + " from " + from() + where();
  }

  private String joined() {
    String join = choices.one(JOINS);
    boolean one = join.contains("semi") || join.contains("anti");
    String columns = one ? "t.i, t.c, t.d" : "t.*, s_tame, c_tame, p38_tame";
    String and = random.nextBoolean() ? "" : " and " + condition();
    return "select /*+ BROADCAST(s) */ "
        + (one || random.nextBoolean() ? columns : values())
        + " from t %s s on %s%s".formatted(join, choices.one(KEYS), and)
        + (one ? "" : where());
  }

  /**
   * The first rows in an order of all columns of the result, of which rows of equal keys differ.
   */
  private String sorted() {
    int width = 1 + random.nextInt(3);
    List<String> columns = new ArrayList<>();
    for (int i = 0; i < width; i++) {
      columns.add(unsigned() + " x" + i);
    }
    String order =
        list(
            width,
            i -> "x" + i + choices.one(List.of("", " desc", " desc nulls first", " nulls last")));
    String offset = random.nextInt(3) == 0 ? " offset " + random.nextInt(9) : "";
    return "select %s from %s%s order by %s limit %d%s"
        .formatted(String.join(", ", columns), from(), where(), order, random.nextInt(40), offset);
  }

  /** No floating-point number, of which zeros of both signs are equal keys. */
  private String unsigned() {
    Kind kind = choices.one(List.of(Kind.values()));
    boolean floats = kind == Kind.FLOAT || kind == Kind.DOUBLE;
    return expressions.of(floats ? Kind.STRING : kind, 1 + random.nextInt(2));
  }

  private String grouped() {
    List<String> keys = new ArrayList<>();
    for (int i = random.nextInt(3); i > 0; i--) {
      keys.add(value());
    }
    String calls = list(1 + random.nextInt(3), i -> call() + " y" + i);
    String listed = list(keys.size(), i -> keys.get(i) + " x" + i + ", ");
    String by = list(keys.size(), i -> "x" + i);
    String having = random.nextInt(4) == 0 ? " having count(*) > 1 or min(i) is null" : "";
    return "select "
        + listed.replace(", , ", ", ")
        + calls
        + (" from " + from() + where())
        + (keys.isEmpty() ? "" : " group by " + grouping(by))
        + having;
  }

  private String grouping(String keys) {
    return switch (random.nextInt(9)) {
      case 0 -> "rollup(" + keys + ")";
      case 1 -> "cube(" + keys + ")";
      default -> keys;
    };
  }

  private String call() {
    String filter = random.nextInt(4) == 0 ? " filter (where " + condition() + ")" : "";
    String exact = exact();
    String some = value();
    return choices.any(
        () -> "count(%s)".formatted(some) + filter,
        () -> "count(%s, %s)".formatted(some, value()) + filter,
        () -> "count(distinct %s)".formatted(some),
        () -> "count_if(%s)".formatted(condition()) + filter,
        () -> "sum(%s)".formatted(exact) + filter,
        () -> "sum(distinct %s)".formatted(exact),
        () -> "avg(%s)".formatted(exact) + filter,
        () -> "bool_or(%s)".formatted(condition()) + filter,
        () -> "every(%s)".formatted(condition()),
        () -> extreme() + filter);
  }

  /** Whether a sum of decimals of 38 digits overflows depends on the order of rows, too. */
  private String exact() {
    Kind kind = choices.one(EXACT);
    String value = expressions.of(kind, random.nextInt(3));
    return kind == Kind.DECIMAL ? "cast(%s as decimal(28,10))".formatted(value) : value;
  }

  /** Which zero of a floating-point number is the extreme depends on the order of rows. */
  private String extreme() {
    return "%s(%s)".formatted(choices.one(List.of("min", "max")), unsigned());
  }
}
