package io.mooring.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;

/** Random SQL over {@link PushdownTables}. */
public final class RandomQueries {
  private static final List<String> NUMBERS =
      List.of("a_byte", "a_short", "an_int", "a_long", "a_float", "a_double", "quarters", "part");
  private static final List<String> EXTREMES =
      List.of(
          "a_byte",
          "an_int",
          "a_long",
          "a_float",
          "a_double",
          "a_decimal32",
          "a_decimal64",
          "a_decimal128",
          "a_date",
          "a_timestamp",
          "a_string",
          "part",
          "text_part");
  private static final List<String> SUMS = List.of("a_byte", "a_short", "an_int", "quarters");
  private static final List<String> KEYS =
      List.of("a_boolean", "a_byte", "part", "text_part", "a_date", "a_float", "a_string");
  private static final List<String> OPERATORS = List.of("=", "<>", "<", "<=", ">", ">=");

  private final Random random;

  public RandomQueries(long seed) {
    this.random = new Random(seed);
  }

  /** A query over {@code %s}: rows that a filter keeps, or aggregates of them. */
  public String next() {
    String from = " from %s" + (random.nextInt(5) == 0 ? "" : " where " + predicate(3));
    return switch (random.nextInt(3)) {
      case 0 -> "select " + String.join(", ", some(EXTREMES, 4)) + from;
      case 1 -> "select " + aggregates() + from;
      default -> {
        String keys = String.join(", ", some(KEYS, 2));
        yield "select " + keys + ", " + aggregates() + from + " group by " + keys;
      }
    };
  }

  private List<String> some(List<String> names, int most) {
    List<String> chosen = new ArrayList<>();
    int count = 1 + random.nextInt(most);
    for (int i = 0; i < count; i++) {
      String name = one(names);
      if (!chosen.contains(name)) {
        chosen.add(name);
      }
    }
    return chosen;
  }

  private <T> T one(List<T> values) {
    return values.get(random.nextInt(values.size()));
  }

  private String aggregates() {
    List<String> calls = new ArrayList<>();
    int count = 1 + random.nextInt(4);
    for (int i = 0; i < count; i++) {
      calls.add(
          switch (random.nextInt(6)) {
            case 0 -> "count(*)";
            case 1 -> "count(" + one(EXTREMES) + ")";
            case 2 -> "min(" + one(EXTREMES) + ")";
            case 3 -> "max(" + one(EXTREMES) + ")";
            case 4 -> "avg(" + one(SUMS) + ")";
            default -> "sum(" + one(SUMS) + ")";
          });
    }
    return String.join(", ", calls);
  }

  private String predicate(int depth) {
    List<Supplier<String>> kinds = new ArrayList<>();
    if (depth > 0) {
      kinds.add(() -> "(" + predicate(depth - 1) + " and " + predicate(depth - 1) + ")");
      kinds.add(() -> "(" + predicate(depth - 1) + " or " + predicate(depth - 1) + ")");
      kinds.add(() -> "not (" + predicate(depth - 1) + ")");
    }
    kinds.add(() -> one(NUMBERS) + " " + one(OPERATORS) + " " + number());
    kinds.add(() -> one(NUMBERS) + " " + one(OPERATORS) + " " + one(NUMBERS));
    kinds.add(() -> one(EXTREMES) + (random.nextBoolean() ? " is null" : " is not null"));
    kinds.add(this::list);
    kinds.add(this::text);
    kinds.add(this::moment);
    kinds.add(() -> "a_decimal64 " + one(OPERATORS) + " " + random.nextInt(1_000_000) + ".25");
    kinds.add(() -> "a_boolean");
    return one(kinds).get();
  }

  private String number() {
    return switch (random.nextInt(6)) {
      case 0 -> "double('NaN')";
      case 1 -> "0.0D";
      case 2 -> String.valueOf(random.nextInt());
      case 3 -> random.nextInt(1_000_000) + ".5D";
      default -> String.valueOf(random.nextInt(200) - 100);
    };
  }

  private String list() {
    List<String> values = new ArrayList<>();
    int count = 1 + random.nextInt(20);
    for (int i = 0; i < count; i++) {
      values.add(random.nextInt(20) == 0 ? "null" : String.valueOf(random.nextInt(200) - 100));
    }
    String not = random.nextInt(3) == 0 ? " not in (" : " in (";
    return one(List.of("a_byte", "a_short", "an_int", "part"))
        + not
        + String.join(", ", values)
        + ")";
  }

  private String text() {
    char letter = (char) ('a' + random.nextInt(26));
    return switch (random.nextInt(4)) {
      case 0 -> "a_string like '" + letter + "%%'";
      case 1 -> "a_string like '%%" + letter + "'";
      case 2 -> "a_string like '%%" + letter + "%%'";
      default -> "a_string " + one(OPERATORS) + " '" + letter + "'";
    };
  }

  private String moment() {
    int year = 1920 + random.nextInt(200);
    return random.nextBoolean()
        ? "a_date " + one(OPERATORS) + " date'" + year + "-03-01'"
        : "a_timestamp " + one(OPERATORS) + " timestamp'" + year + "-03-01 12:00:00'";
  }
}
