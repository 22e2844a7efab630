package io.mooring.stage.replicated;

import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Joins of two to five tables, nested any way: of every kind, some of them with conditions. */
final class RandomReplicatedJoins {
  static final int TABLES = 5;

  private static final List<String> KINDS =
      List.of(
          "join",
          "join",
          "left join",
          "right join",
          "left semi join",
          "left anti join",
          "exists or");
  private static final List<String> KEYS = List.of("k", "i", "s");

  private final Random random;
  private int names;

  RandomReplicatedJoins(long seed) {
    this.random = new Random(seed);
  }

  /** Columns of a table number; keys have nulls and duplicates, and half of them are few. */
  static String[] columns(int table) {
    int distinct = 25 + 15 * table;
    String key = "int(abs(hash(id, " + table + ")) % if(id % 2 = 0, 5, " + distinct + "))";
    return new String[] {
      "if(id % 9 = 0, null, bigint(" + key + ")) k",
      "if(id % 8 = 1, null, int(id * 7 % " + distinct + ")) i",
      "if(id % 7 = 2, null, concat('text ', " + key + ")) s",
      "cast(id * 31 % 1000 / 10 as decimal(12,2)) v"
    };
  }

  String query() {
    return "select * from " + source(1 + random.nextInt(TABLES - 1));
  }

  /** Something with the columns k, i, s and v. */
  private String source(int joins) {
    if (joins == 0) {
      String table = "t" + random.nextInt(TABLES);
      return switch (random.nextInt(6)) {
        case 0 -> "(select * from " + table + " where v > " + random.nextInt(60) + ")";
        case 1 -> grouped(table);
        case 2 -> grouped(grouped(table));
        default -> table;
      };
    }
    int left = random.nextInt(joins);
    String a = "a" + names;
    String b = "b" + names++;
    String kind = KINDS.get(random.nextInt(KINDS.size()));
    if (kind.equals("exists or")) {
      return existence(source(left), source(joins - 1 - left), a, b);
    }
    return "(select "
        + columns(a, kind.contains("semi") || kind.contains("anti") ? a : b)
        + String.format(" from %s %s %s ", source(left), a, kind)
        + String.format("%s %s on %s)", source(joins - 1 - left), b, condition(a, b));
  }

  /** Rows that a condition keeps, or another source: what Spark calls an existence join. */
  private String existence(String source, String other, String a, String b) {
    String exists =
        String.format("exists (select 1 from %s %s where %s)", other, b, condition(a, b));
    return String.format(
        "(select %1$s.k, %1$s.i, %1$s.s, %1$s.v from %2$s %1$s where %1$s.v > %3$d or %4$s)",
        a, source, random.nextInt(60), exists);
  }

  private String grouped(String source) {
    String having = random.nextBoolean() ? "" : " having count(*) > " + random.nextInt(3);
    return switch (random.nextInt(4)) {
      case 0 ->
          "(select k, max(i) i, min(s) s, sum(v) v from " + source + " group by k" + having + ")";
      case 1 ->
          "(select k, count(i) i, s, avg(v) v from " + source + " group by s, k" + having + ")";
      case 2 ->
          "(select sum(i) k, i, s, max(v) - 1 v from " + source + " group by i, s" + having + ")";
      default ->
          "(select k, cast(sum(i) as int) i, concat(s, 'x') s, sum(v) filter (where v > 9) v from"
              + " "
              + source
              + " group by k, concat(s, 'x')"
              + having
              + ")";
    };
  }

  private String columns(String a, String b) {
    return IntStream.range(0, 4)
        .mapToObj(it -> (random.nextBoolean() ? a : b) + "." + "kisv".charAt(it))
        .collect(Collectors.joining(", "));
  }

  private String condition(String a, String b) {
    String key = KEYS.get(random.nextInt(KEYS.size()));
    String equal = String.format("%s.%s = %s.%s", a, key, b, key);
    return switch (random.nextInt(7)) {
      case 0 -> equal + String.format(" and %s.i = %s.i", a, b);
      case 1 -> equal + String.format(" and %s.v < %s.v", a, b);
      case 2 -> equal.replace("=", "<=>");
      case 3 -> equal + String.format(" and %s.i + %s.k > 20", a, b);
      case 4 -> equal + String.format(" and %s.v div %s.i > 1", a, b);
      default -> equal;
    };
  }
}
