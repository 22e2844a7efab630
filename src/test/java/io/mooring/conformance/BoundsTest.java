package io.mooring.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.testing.Interpreted;
import io.mooring.testing.Plans;
import io.mooring.testing.RandomCases;
import io.mooring.testing.Sessions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random aggregates and conditions over values at the bounds of their types. Each table is one file
 * that one task reads, so that what depends on the order of rows (the sign of a zero, where a sum
 * overflows) has one answer too. {@code mooring.test.seed} repeats a run.
 */
@Tag("extended")
@Tag("random")
class BoundsTest {
  private static final int TABLES = RandomCases.of("mooring.test.tables", 1);
  private static final int QUERIES_A_TABLE = 40;
  private static final Map<String, List<String>> VALUES =
      Map.of(
          "tiny tinyint",
          List.of("-128Y", "127Y", "0Y", "1Y"),
          "whole int",
          List.of("-2147483648", "2147483647", "0", "-1", "7"),
          "big bigint",
          List.of(
              "-9223372036854775808L", "9223372036854775807L", "0L", "-1L", "4611686018427387904L"),
          "real double",
          List.of(
              "double('NaN')",
              "-0.0D",
              "0.0D",
              "double('-Infinity')",
              "1.7976931348623157E308D",
              "4.9E-324D"),
          "ratio float",
          List.of(
              "float('NaN')",
              "float('-0.0')",
              "float('0.0')",
              "float('Infinity')",
              "3.4028235E38D"),
          "price decimal(9,2)",
          List.of("9999999.99BD", "-9999999.99BD", "0.00BD", "0.01BD"),
          "amount decimal(18,0)",
          List.of("999999999999999999BD", "-999999999999999999BD", "0BD"),
          "huge decimal(38,0)",
          List.of(
              "99999999999999999999999999999999999999BD",
              "-99999999999999999999999999999999999999BD",
              "0BD"),
          "day date",
          List.of(
              "date'0001-01-01'",
              "date'1582-10-04'",
              "date'1582-10-15'",
              "date'9999-12-31'",
              "date'1970-01-01'"),
          "moment timestamp",
          List.of(
              "timestamp'0001-01-01 00:00:00'",
              "timestamp'1582-10-04 23:59:59.999999'",
              "timestamp'1969-12-31 23:59:59.999999'",
              "timestamp'9999-12-31 23:59:59.999999'"));
  private static final List<String> FUNCTIONS =
      List.of("sum", "avg", "min", "max", "count", "try_sum", "try_avg", "count(distinct");

  private final long seed = Long.getLong("mooring.test.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private final List<String> columns = VALUES.keySet().stream().sorted().toList();

  @TempDir Path folder;

  @Test
  void everyAnswerIsSparks() {
    System.out.println("BoundsTest seed " + seed);
    SparkSession spark =
        Sessions.transparent(
            folder.resolve("warehouse"),
            Interpreted.and(
                Map.of(
                    "spark.master", "local[1]",
                    "spark.mooring.pinnedPool.size", "64m",
                    "spark.sql.shuffle.partitions", "1",
                    "spark.sql.datetime.java8API.enabled", "true",
                    "spark.sql.parquet.datetimeRebaseModeInWrite", "CORRECTED",
                    "spark.sql.parquet.int96RebaseModeInWrite", "CORRECTED",
                    // Spark's own pruning loses rows of -0.0 where 0.0 is asked for.
                    "spark.sql.parquet.filterPushdown", "false")));
    try {
      spark.sparkContext().setLogLevel("OFF");
      for (int table = 0; table < TABLES; table++) {
        round(spark, folder.resolve("t" + table).toString());
      }
    } finally {
      spark.stop();
    }
  }

  private void round(SparkSession spark, String path) {
    write(spark, path);
    SparkSession ours = session(spark, path, "true");
    SparkSession sparks = session(spark, path, "false");
    List<String> problems = new ArrayList<>();
    int served = 0;
    for (int i = 0; i < QUERIES_A_TABLE; i++) {
      String ansi = String.valueOf(random.nextBoolean());
      ours.conf().set("spark.sql.ansi.enabled", ansi);
      sparks.conf().set("spark.sql.ansi.enabled", ansi);
      Statement statement = new Statement(query(), false, false);
      Outcome mine = Outcome.of(ours, statement);
      Outcome other = Outcome.of(sparks, statement);
      served += mine.data() == null || Plans.ours(mine.data()).isEmpty() ? 0 : 1;
      if (!mine.answer().equals(other.answer())) {
        problems.add(
            statement.sql()
                + "\n ansi "
                + ansi
                + "\n ours   "
                + mine.answer()
                + "\n sparks "
                + other.answer());
      }
    }
    assertThat(problems).as("seed " + seed + ", " + path).isEmpty();
    assertThat(served).isGreaterThan(QUERIES_A_TABLE / 4);
  }

  private static SparkSession session(SparkSession spark, String path, String enabled) {
    SparkSession session = spark.newSession();
    session.conf().set("spark.mooring.sql.enabled", enabled);
    session.read().parquet(path).createOrReplaceTempView("t");
    return session;
  }

  /** A few rows, in row groups of a few; sometimes none at all. */
  private void write(SparkSession spark, String path) {
    int rows = random.nextInt(8) == 0 ? 0 : 1 + random.nextInt(60);
    String select =
        columns.stream()
            .map(column -> "cast(null as " + type(column) + ") as " + name(column))
            .collect(Collectors.joining(", ", "select 0 as k, ", " where 1 = 0"));
    String values =
        IntStream.range(0, rows)
            .mapToObj(
                i ->
                    columns.stream()
                        .map(this::stored)
                        .collect(
                            Collectors.joining(", ", " union all select " + (i % 3) + ", ", "")))
            .collect(Collectors.joining());
    spark
        .sql(select + values)
        .coalesce(1)
        .write()
        .option("parquet.block.row.count.limit", 1 + random.nextInt(20))
        .parquet(path);
  }

  private String stored(String column) {
    String value = random.nextInt(5) == 0 ? "null" : literal(column);
    return "cast(" + value + " as " + type(column) + ")";
  }

  private static String name(String column) {
    return column.split(" ")[0];
  }

  private static String type(String column) {
    return column.split(" ")[1];
  }

  private <T> T one(List<T> values) {
    return values.get(random.nextInt(values.size()));
  }

  private String literal(String column) {
    return one(VALUES.get(column));
  }

  private String query() {
    String calls =
        IntStream.range(0, 1 + random.nextInt(3))
            .mapToObj(i -> call() + " as a" + i)
            .collect(Collectors.joining(", "));
    String where = random.nextInt(3) == 0 ? "" : " where " + condition(2);
    return switch (random.nextInt(5)) {
      case 0 -> "select k, " + calls + " from t" + where + " group by k";
      case 1 -> {
        String key = name(one(columns));
        yield "select " + key + ", " + calls + " from t" + where + " group by " + key;
      }
      case 2 -> "select * from t" + (where.isEmpty() ? " where " + condition(3) : where);
      default -> "select " + calls + " from t" + where;
    };
  }

  private String call() {
    String column = one(columns);
    boolean isNumber = !type(column).equals("date") && !type(column).equals("timestamp");
    String function = isNumber ? one(FUNCTIONS) : one(List.of("min", "max", "count"));
    String input =
        random.nextInt(3) > 0
            ? name(column)
            : one(
                List.of(
                    "case when " + condition(1) + " then " + name(column) + " end",
                    "if(" + condition(1) + ", " + name(column) + ", " + typed(column) + ")"));
    String open = function.contains("(") ? " " : "(";
    String filter = random.nextInt(8) == 0 ? " filter (where " + condition(1) + ")" : "";
    return function + open + inAnyOrder(function, name(column), input) + ")" + filter;
  }

  /** The input without a value that makes a sum of doubles depend on the order of rows. */
  private String inAnyOrder(String function, String column, String input) {
    if (function.endsWith("avg") && column.equals("big")) {
      return "nullif(" + input + ", -1L)";
    } else if (column.equals("real") && (function.endsWith("avg") || function.endsWith("sum"))) {
      // The greatest overflows to Infinity if it is added twice before -Infinity.
      String value = one(List.of("double('-Infinity')", "1.7976931348623157E308D"));
      return "nullif(" + input + ", " + value + ")";
    }
    return input;
  }

  private String typed(String column) {
    return "cast(" + literal(column) + " as " + type(column) + ")";
  }

  private String condition(int depth) {
    String column = one(columns);
    List<Supplier<String>> kinds = new ArrayList<>();
    if (depth > 0) {
      kinds.add(
          () ->
              "("
                  + condition(depth - 1)
                  + one(List.of(" and ", " or "))
                  + condition(depth - 1)
                  + ")");
      kinds.add(() -> "not (" + condition(depth - 1) + ")");
      kinds.add(
          () ->
              "case when "
                  + condition(0)
                  + " then "
                  + condition(0)
                  + " else "
                  + condition(0)
                  + " end");
    }
    kinds.add(() -> name(column) + one(List.of(" is null", " is not null")));
    kinds.add(
        () ->
            name(column)
                + one(List.of(" = ", " <> ", " < ", " <= ", " > ", " >= ", " <=> "))
                + typed(column));
    kinds.add(() -> name(column) + one(List.of(" in (", " not in (")) + list(column) + ")");
    kinds.add(() -> name(column) + " between " + typed(column) + " and " + typed(column));
    kinds.add(
        () ->
            one(List.of("big", "whole", "tiny", "real", "ratio", "k"))
                + one(List.of(" < ", " = ", " >= "))
                + one(List.of("big", "whole", "real", "ratio")));
    return one(kinds).get();
  }

  private String list(String column) {
    return IntStream.range(0, 1 + random.nextInt(10))
        .mapToObj(i -> random.nextInt(6) == 0 ? "null" : typed(column))
        .collect(Collectors.joining(", "));
  }
}
