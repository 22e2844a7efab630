package io.mooring.stage;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Random joins of the streamed table t and the tables u and v. */
final class RandomJoinQueries {
  // Keys of a and b, which are the streamed table and a broadcast one.
  private static final List<String> KEYS =
      List.of(
          "a.an_int = b.an_int",
          "a.an_int % 1000 = b.an_int % 1000",
          "a.a_long = b.a_long",
          "a.a_short = b.a_short",
          "a.a_short = b.an_int % 30000",
          "a.a_byte = b.a_byte",
          "a.a_float = b.a_float",
          "a.a_double = b.a_double",
          "a.a_decimal32 = b.a_decimal32",
          "a.a_decimal64 = b.a_decimal64",
          "a.a_decimal128 = b.a_decimal128",
          "a.a_decimal32 = b.a_decimal64",
          "a.a_date = b.a_date",
          "a.a_timestamp = b.a_timestamp",
          "year(a.a_date) = year(b.a_date)",
          "a.a_string = b.a_string",
          "substring(a.a_string, 1, 2) = substring(b.a_string, 1, 2)",
          "a.a_binary = b.a_binary",
          "a.a_string <=> b.a_string",
          "a.an_int <=> b.an_int",
          "a.a_decimal32 <=> b.a_decimal32 and a.a_date = b.a_date");
  private static final List<String> FURTHER =
      List.of(
          "a.a_boolean = b.a_boolean",
          "a.a_boolean <=> b.a_boolean",
          "a.a_byte % 3 = b.a_byte % 3",
          "a.a_date <=> b.a_date",
          "a.an_int < b.an_int",
          "a.a_byte + b.a_byte > 3",
          "a.a_string <> b.a_string",
          "length(a.a_string) > length(b.a_string)",
          "b.a_boolean",
          "a.a_boolean or b.a_byte > 0",
          "a.a_decimal32 * b.a_decimal32 > 0",
          "b.a_date >= a.a_date",
          "(a.a_long is null or b.a_long is not null)",
          "b.a_short div a.a_byte > 1");
  private static final List<String> JOINS =
      List.of("join", "left join", "left semi join", "left anti join");
  private static final List<String> COLUMNS =
      List.of(
          "an_int",
          "a_string",
          "a_decimal128",
          "a_double",
          "a_boolean",
          "a_date",
          "a_timestamp",
          "a_binary",
          "a_byte");
  private static final List<String> CALLS =
      List.of(
          "count(*)",
          "count(X.a_string)",
          "sum(X.an_int)",
          "sum(X.a_decimal32)",
          "avg(X.a_decimal64)",
          "min(X.a_string)",
          "max(X.a_decimal128)",
          "min(X.a_date)",
          "max(X.a_timestamp)");

  private final Random random;

  RandomJoinQueries(Random random) {
    this.random = random;
  }

  /**
   * A query.
   *
   * @param hint follows its word SELECT
   */
  String next(String hint) {
    List<String> sides = new ArrayList<>(List.of("t"));
    String streamed =
        random.nextInt(5) == 0 ? "(select * from t union all select * from v) t" : "t";
    StringBuilder from = new StringBuilder(streamed);
    List<String> names = random.nextInt(3) == 0 ? List.of("u", "v") : List.of("u");
    for (String name : names) {
      String of =
          name.equals("u") && random.nextInt(8) == 0 ? "(select * from u where false)" : name;
      String table = of.equals(name) ? name : of + " " + name;
      String on = on(name);
      if (sides.size() == 1 && name.equals("u") && random.nextInt(5) == 0) {
        from =
            new StringBuilder(
                table + (random.nextBoolean() ? " join " : " right join ") + streamed + on);
        sides.add(name);
        continue;
      }
      String join = one(JOINS);
      from.append(' ').append(join).append(' ').append(table).append(on);
      if (!join.contains("semi") && !join.contains("anti")) {
        sides.add(name);
      }
    }
    String where = where();
    // Three tables can have millions of rows, too many for this process to compare.
    return random.nextBoolean() && sides.size() < 3
        ? "select " + hint + columns(sides) + " from " + from + where
        : grouped(hint, sides, from + where);
  }

  private String on(String name) {
    StringBuilder on = new StringBuilder(" on ").append(one(KEYS));
    for (int i = random.nextInt(3); i > 0; i--) {
      on.append(" and ").append(one(FURTHER));
    }
    return on.toString().replace("a.", "t.").replace("b.", name + ".");
  }

  private String where() {
    return switch (random.nextInt(6)) {
      case 0 -> " where t.an_int % 3 = 1";
      case 3 -> " where " + notIn(one(COLUMNS));
      case 1 ->
          " where t.a_boolean or exists (select 1 from v w where "
              + one(KEYS).replace("a.", "t.").replace("b.", "w.")
              + ")";
      case 2 -> " where t.a_byte is not null";
      default -> "";
    };
  }

  private String notIn(String column) {
    String values = "select w." + column + " from v w";
    return switch (random.nextInt(4)) {
      case 0 -> "t." + column + " not in (" + values + ")";
      case 1 -> "t." + column + " not in (" + values + " where w.a_byte > 500)";
      default -> "t." + column + " not in (" + values + " where w." + column + " is not null)";
    };
  }

  private String columns(List<String> sides) {
    List<String> columns = new ArrayList<>();
    for (int i = 1 + random.nextInt(4); i > 0; i--) {
      columns.add(one(sides) + "." + one(COLUMNS));
    }
    return String.join(", ", columns);
  }

  private String grouped(String hint, List<String> sides, String from) {
    List<String> calls = new ArrayList<>();
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      calls.add(one(CALLS).replace("X", one(sides)));
    }
    String key = one(sides) + "." + one(COLUMNS);
    return random.nextInt(4) == 0
        ? "select " + hint + String.join(", ", calls) + " from " + from
        : "select "
            + hint
            + key
            + ", "
            + String.join(", ", calls)
            + " from "
            + from
            + " group by "
            + key;
  }

  private String one(List<String> of) {
    return of.get(random.nextInt(of.size()));
  }
}
