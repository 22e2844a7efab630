package io.mooring.stage;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;

/** Random windows over groups of the table t, with keys, inputs and orders of many types. */
final class RandomWindows {
  private static final List<String> KEYS =
      List.of(
          "a_short % 7",
          "a_byte",
          "a_boolean",
          "substring(a_string, 1, 1)",
          "a_string",
          "trunc(a_date, 'year')",
          "date_trunc('year', a_timestamp)",
          "cast(a_decimal32 as decimal(9,0)) % 4",
          "cast(a_decimal128 as decimal(38,0)) % 3");
  // The columns of the groups beside the keys g and h.
  private static final List<String> GROUPED =
      List.of(
          "count(*) n",
          "max(an_int % 100) i",
          "min(a_short) s",
          "sum(a_decimal32) v",
          "max(a_decimal128) e",
          "max(a_string) c",
          "min(a_date) d",
          "max(a_timestamp) m",
          "bool_or(a_boolean) b");
  private static final List<String> COLUMNS = List.of("n", "i", "s", "v", "e", "c", "d", "m", "b");
  private static final List<String> ORDERED = List.of("i", "s", "v", "e", "c", "d", "m", "n");
  private static final List<String> SUMMED = List.of("i", "s", "v", "e", "n", "i + s", "v * 2");
  private static final List<String> DIRECTIONS =
      List.of("", " desc", " desc nulls first", " nulls last");
  private static final List<String> TOTAL =
      List.of(
          "rows unbounded preceding",
          "rows between unbounded preceding and current row",
          "rows between unbounded preceding and unbounded following");
  private static final List<String> BY_PEERS =
      List.of(
          "",
          "range unbounded preceding",
          "range between unbounded preceding and unbounded following");
  private static final List<String> RANKS =
      List.of("rank()", "dense_rank()", "row_number()", "rank()", "dense_rank()", "lag(i)");
  // Spark computes these.
  private static final List<String> OTHERS =
      List.of(
          "rows between 2 preceding and current row", "rows between current row and 1 following");

  private final Random random;

  RandomWindows(Random random) {
    this.random = random;
  }

  String next() {
    String groups = groups();
    String rows = "(" + windowed(groups) + ")";
    return switch (random.nextInt(5)) {
      case 0 -> "select * from " + rows + " where w0 is not null and g is not null";
      case 1 -> "select g, count(*), max(i), min(c) from " + rows + " group by g";
      case 2 -> "select * from " + rows + " order by g, h, i, n limit " + random.nextInt(30);
      case 3 -> best(groups);
      default -> "select * from " + rows;
    };
  }

  private String groups() {
    String where = random.nextInt(3) == 0 ? " where a_byte % 3 = 1" : "";
    String grouped =
        "select %s g, %s h, %s from t%s group by 1, 2"
            .formatted(one(KEYS), one(KEYS), String.join(", ", GROUPED), where);
    return random.nextInt(9) == 0 ? grouped + " having count(*) > 1000000" : grouped;
  }

  private String windowed(String groups) {
    List<String> windows = new ArrayList<>();
    String partition = partition();
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      String by = random.nextInt(3) == 0 ? partition() : partition;
      windows.add(call(by) + " w" + (i - 1));
    }
    return "select g, h, n, i, s, c, d, " + String.join(", ", windows) + " from (" + groups + ")";
  }

  private String partition() {
    return switch (random.nextInt(5)) {
      case 0 -> "";
      case 1 -> "partition by g, b ";
      case 2 -> "partition by " + one(COLUMNS) + " ";
      case 3 -> "partition by h, year(d) ";
      default -> "partition by g ";
    };
  }

  private String call(String partition) {
    if (random.nextInt(4) == 0) {
      String ranks = one(RANKS);
      return over(ranks, partition + (ranks.contains("rank") ? order() : total()));
    }
    String frame = random.nextInt(12) == 0 ? one(OTHERS) : one(TOTAL);
    return over(
        function(),
        switch (random.nextInt(3)) {
          case 0 -> partition;
          case 1 -> partition + order() + " " + one(BY_PEERS);
          default -> partition + total() + " " + frame;
        });
  }

  private static String over(String function, String window) {
    return function + " over (" + window.strip() + ")";
  }

  private String function() {
    return switch (random.nextInt(6)) {
      case 0 -> "count(" + one(List.of("*", "c", "b", "d, i")) + ")";
      case 1 -> "sum(" + one(SUMMED) + ")";
      case 2 -> "avg(" + one(SUMMED) + ")";
      case 3 -> "max(" + one(COLUMNS) + ")";
      case 4 -> "min(" + one(COLUMNS) + ")";
      default -> one(List.of("max(upper(c))", "count(i)", "sum(if(b, i, s))"));
    };
  }

  /** An order in which rows may be equal. */
  private String order() {
    return "order by "
        + random
            .ints(1 + random.nextInt(2), 0, ORDERED.size())
            .mapToObj(i -> ORDERED.get(i) + one(DIRECTIONS))
            .collect(Collectors.joining(", "));
  }

  /** An order in which no rows are equal, as the keys of groups differ. */
  private String total() {
    return order() + ", g" + one(DIRECTIONS) + ", h" + one(DIRECTIONS);
  }

  /** The first rows of each partition, or of all. */
  private String best(String groups) {
    String ranks = one(List.of("rank()", "dense_rank()", "row_number()"));
    String order = ranks.startsWith("row") ? total() : order();
    return "select * from (select *, %s r from (%s)) where r %s %d"
        .formatted(
            over(ranks, partition() + order),
            groups,
            one(List.of("<=", "<", "=")),
            random.nextInt(6));
  }

  private String one(List<String> of) {
    return of.get(random.nextInt(of.size()));
  }
}
