package io.mooring.stage;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.testing.Answers;
import io.mooring.testing.RandomCases;
import io.mooring.testing.RandomTables;
import io.mooring.testing.RequiresGpu;
import io.mooring.testing.ScanResults;
import io.mooring.testing.Sessions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random aggregates over random rows, each with stages and with Mooring turned off. {@code
 * mooring.test.cases} sets how many; {@code mooring.test.seed} repeats a run.
 */
@Tag("random")
class RandomStagesTest {
  private static final int CASES = RandomCases.of("mooring.test.cases", 10, 75);
  private static final long SEED = Long.getLong("mooring.test.seed", System.nanoTime());
  private static final int ROWS = 4_000;
  private static final int FILES = 3;
  private static final int MOST_TOLD = 20;
  private static final List<String> KEYS =
      List.of(
          "a_boolean",
          "a_byte",
          "a_short % 7",
          "a_decimal32 % 5",
          "a_date",
          "year(a_date)",
          "a_string",
          "substring(a_string, 1, 1)",
          "regexp_extract(a_string, '([a-m0-9]+)([n-z])?', 2)",
          "a_float",
          "cast(a_decimal32 as string)",
          "a_timestamp",
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
          "coalesce(an_int, 0)");
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
          "a_string",
          "a_binary",
          "upper(a_string)",
          "substring_index(a_string, 'a', 1)",
          "translate(repeat(a_string, 2), 'abc', 'ca')",
          "cast(a_decimal128 as string)",
          "cast(cast(a_decimal64 as string) as decimal(25, 1))",
          "regexp_replace(a_string, '([a-m])([n-z])', '$2$1')",
          "regexp_replace(a_string, '[aeiou]+|x', '')",
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
          "not a_boolean or a_byte <=> null");

  @TempDir static Path folder;

  private final Random random = new Random(SEED);

  @Test
  void everyAnswerIsSparks() {
    System.out.println("RandomStagesTest seed " + SEED);
    SparkSession spark =
        Sessions.transparent(
            folder.resolve("warehouse"), Map.of("spark.mooring.pinnedPool.size", "64m"));
    try {
      spark
          .createDataFrame(new RandomTables(SEED).rows(ROWS), RandomTables.ALL_TYPES)
          .repartition(FILES)
          .write()
          .option("parquet.block.row.count.limit", ROWS / FILES / 4)
          .parquet(folder.resolve("t").toString());
      spark.read().parquet(folder.resolve("t").toString()).createOrReplaceTempView("t");
      spark
          .createDataFrame(new RandomTables(SEED + 1).rows(ROWS / 10), RandomTables.ALL_TYPES)
          .createOrReplaceTempView("r");
      run(spark);
    } finally {
      spark.stop();
    }
  }

  private void run(SparkSession spark) {
    List<String> failures = new ArrayList<>();
    int staged = 0;
    int left = 0;
    for (int i = 0; i < CASES; i++) {
      String query = query();
      boolean ansi = random.nextBoolean();
      spark.conf().set("spark.sql.ansi.enabled", ansi);
      spark.conf().set("spark.mooring.sql.pushdown", random.nextInt(3) == 0 ? "always" : "never");
      String ours;
      try {
        Dataset<Row> data = spark.sql(query);
        ours = ScanResults.rows(data).toString();
        boolean has = !Stages.of(data).isEmpty();
        staged += has ? 1 : 0;
        left += has && Stages.metric(data, "sparkSplits") > 0 ? 1 : 0;
      } catch (Exception e) {
        ours = Answers.ofError(e);
      }
      String difference = Answers.difference(spark, query, ours);
      if (!difference.isEmpty()) {
        failures.add("case " + i + " ansi " + ansi + ": " + difference);
      }
    }
    System.out.println(
        CASES
            + " cases, "
            + staged
            + " with stages, "
            + left
            + " of them left in part to Spark, "
            + failures.size()
            + " differ");
    failures.stream().limit(MOST_TOLD).forEach(System.out::println);
    assertThat(failures).isEmpty();
    assertThat(staged).isGreaterThan(CASES / 2);
    assertThat(RequiresGpu.Condition.gpuIsThere() && left > staged / 2).isFalse();
  }

  private String query() {
    List<String> keys = new ArrayList<>();
    for (int i = random.nextInt(3); i > 0; i--) {
      keys.add(one(KEYS));
    }
    List<String> columns = new ArrayList<>(keys);
    for (int i = 1 + random.nextInt(4); i > 0; i--) {
      columns.add(call());
    }
    String where = random.nextInt(3) == 0 ? "" : " where " + one(CONDITIONS);
    String by = keys.isEmpty() ? "" : " group by " + grouping(String.join(", ", keys));
    return "select " + String.join(", ", columns) + " from " + from() + where + by;
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
        switch (random.nextInt(8)) {
          case 0 -> "count(*)";
          case 1 -> "count(" + (random.nextBoolean() ? "distinct " : "") + one(EXTREMES) + ")";
          case 2, 3 -> "sum(" + one(NUMBERS) + ")";
          case 4 -> "avg(" + one(NUMBERS) + ")";
          case 5 -> "round(stddev(a_byte), 6)";
          case 6 -> "max(" + one(EXTREMES) + ")";
          default -> "min(" + one(EXTREMES) + ")";
        };
    boolean filtered = random.nextInt(5) == 0 && !call.startsWith("round");
    return filtered ? call + " filter (where " + one(CONDITIONS) + ")" : call;
  }

  private String one(List<String> of) {
    return of.get(random.nextInt(of.size()));
  }
}
