package io.mooring.stage;

import io.mooring.testing.RandomTables;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Random aggregates over the tables t and r, which have the columns of {@link #COLUMNS}. */
final class RandomStageQueries {
  /**
   * The columns of {@link RandomTables}, and more out of them. No sum of the decimals of 38 digits
   * overflows: Spark's own would depend on the order of rows.
   */
  static final String[] COLUMNS = {
    "*", "cast(a_timestamp as timestamp_ntz) an_ntz", "cast(a_short % 24 as decimal(38,33)) a_fine"
  };

  private static final List<String> KEYS =
      List.of(
          "a_boolean",
          "a_byte",
          "a_byte",
          "a_short % 7",
          "a_decimal32 % 5",
          "a_date",
          "year(a_date)",
          "a_string",
          "substring(a_string, 1, 1)",
          "regexp_extract(a_string, '([a-m0-9]+)([n-z])?', 2)",
          "a_float",
          "a_double",
          "cast(a_decimal32 as string)",
          "a_timestamp",
          "date_trunc('year', a_timestamp)",
          "an_ntz",
          "cast(a_decimal128 as decimal(38,0)) % 3",
          "length(a_string) > a_byte",
          "a_binary");
  private static final List<String> NUMBERS =
      List.of(
          "a_byte",
          "a_short",
          "an_int",
          "a_long % 1000000",
          "a_decimal32",
          "a_decimal64",
          "a_decimal32 * a_decimal32",
          "a_decimal64 * 3",
          "a_byte + 1",
          "a_short * 2L",
          "case when a_boolean then an_int else a_byte end",
          "a_byte * 0.25D",
          "a_decimal128",
          "a_fine",
          "if(a_byte = 7, double('NaN'), a_byte * 0.5D)",
          "coalesce(an_int, 0)");
  // Equal in all rows of a group by a_byte, far from zero, or neither.
  private static final List<String> SPREAD =
      List.of("a_byte", "a_byte * 0.1D", "a_byte + 1e6D", "a_short / 10D", "a_decimal32 / 1e6D");
  private static final List<String> SPREADS =
      List.of("stddev", "stddev_pop", "variance", "var_pop", "std", "var_samp");
  private static final List<String> EXTREMES =
      List.of(
          "a_boolean",
          "a_byte",
          "a_long",
          "a_decimal32",
          "a_decimal64",
          "a_decimal128",
          "a_date",
          "a_timestamp",
          "an_ntz",
          "a_fine",
          "a_string",
          "a_binary",
          "upper(a_string)",
          "substring_index(a_string, 'a', 1)",
          "translate(repeat(a_string, 2), 'abc', 'ca')",
          "cast(a_decimal128 as string)",
          "cast(cast(a_decimal64 as string) as decimal(25, 1))",
          "regexp_replace(a_string, '([a-m])([n-z])', '$2$1')",
          "regexp_replace(a_string, '[aeiou]+|x', '')",
          "cast(a_timestamp as string)",
          "an_int % 100");
  private static final List<String> CONDITIONS =
      List.of(
          "a_boolean",
          "an_int % 3 = 1",
          "a_decimal32 * 2 > 100",
          "a_string like '%a%'",
          "a_string rlike '^(a|b)+|(c|d)[a-m]'",
          "a_date > date'1990-01-01'",
          "a_byte in (1, 2, 3, 50)",
          "a_long is not null",
          "a_float < 1000",
          "length(a_string) > 5",
          "an_int > (select avg(an_int) from r)",
          "a_date >= (select max(a_date) from r where a_byte = 3)",
          "a_string > (select min(a_string) from r where a_byte > 500)",
          "not a_boolean or a_byte <=> null");

  private final Random random;

  RandomStageQueries(Random random) {
    this.random = random;
  }

  String next() {
    List<String> keys = new ArrayList<>();
    for (int i = random.nextInt(3); i > 0; i--) {
      keys.add(one(KEYS));
    }
    List<String> columns = new ArrayList<>(keys);
    for (int i = 1 + random.nextInt(4); i > 0; i--) {
      columns.add(call());
    }
    String grouping = grouping(String.join(", ", keys));
    if (!keys.isEmpty() && !grouping.equals(String.join(", ", keys)) && random.nextBoolean()) {
      columns.add("grouping_id()");
    }
    String where = random.nextInt(3) == 0 ? "" : " where " + one(CONDITIONS);
    String by = keys.isEmpty() ? "" : " group by " + grouping;
    return "select "
        + (random.nextInt(8) == 0 ? "distinct " : "")
        + String.join(", ", columns)
        + (" from " + from() + where + by)
        + having()
        + order(columns.size());
  }

  private String having() {
    return random.nextInt(6) == 0 ? " having count(*) > 2 or max(a_byte) < 100" : "";
  }

  /** A limit after an order of all columns. */
  private String order(int columns) {
    String all =
        IntStream.rangeClosed(1, columns)
            .mapToObj(i -> i + one(List.of("", " desc", " nulls last")))
            .collect(Collectors.joining(", "));
    return random.nextInt(5) == 0 ? " order by " + all + " limit " + random.nextInt(30) : "";
  }

  private String grouping(String keys) {
    return switch (random.nextInt(8)) {
      case 0 -> "rollup(" + keys + ")";
      case 1 -> "cube(" + keys + ")";
      case 2 -> "grouping sets ((" + keys + "), (" + keys + "), ())";
      default -> keys;
    };
  }

  private String from() {
    if (random.nextInt(3) > 0) {
      return "t";
    }
    String other = one(List.of("select * from t where a_byte is not null", "select * from r"));
    String some = random.nextBoolean() ? "" : " where " + one(CONDITIONS);
    return "(select * from t" + some + " union all " + other + ")";
  }

  private String call() {
    String call =
        switch (random.nextInt(10)) {
          case 0 -> "count(*)";
          case 1 -> "count(" + (random.nextBoolean() ? "distinct " : "") + one(EXTREMES) + ")";
          case 2, 3 -> "sum(" + one(NUMBERS) + ")";
          case 4 -> "avg(" + one(NUMBERS) + ")";
            // Not a fraction of few digits, which can lie exactly between two rounded values.
          case 5 -> "round(" + one(SPREADS) + "(" + one(SPREAD) + ") * 0.318309886183D, 3)";
          case 6 -> "max(" + one(EXTREMES) + ")";
          case 7 -> rare();
          default -> "min(" + one(EXTREMES) + ")";
        };
    boolean filtered = random.nextInt(5) == 0 && !call.contains("round(") && !call.contains("+ 0");
    return filtered ? call + " filter (where " + one(CONDITIONS) + ")" : call;
  }

  private String rare() {
    String distinct = random.nextBoolean() ? "distinct " : "";
    return switch (random.nextInt(6)) {
      case 0 -> "count(" + distinct + one(EXTREMES) + ", " + one(EXTREMES) + ")";
      case 1 -> "sum(distinct " + one(NUMBERS) + ")";
      case 2 -> one(List.of("bool_and(", "bool_or(", "count_if(")) + one(CONDITIONS) + ")";
      case 3 -> "avg(distinct a_byte)";
        // Which of two zeros is the least depends on the order of rows.
      default -> one(List.of("min(", "max(")) + one(List.of("a_float", "a_double")) + ") + 0";
    };
  }

  private String one(List<String> of) {
    return of.get(random.nextInt(of.size()));
  }
}
