package io.mooring.expr.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.testing.RandomCases;
import io.mooring.testing.RequiresGpu;
import io.mooring.testing.Sessions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Casts between decimals and strings on the device against Catalyst's interpreter. {@code
 * mooring.test.decimals} sets for how many tables of random values; {@code mooring.test.seed}
 * repeats a run.
 */
@RequiresGpu
@Tag("random")
class DecimalTextsTest {
  private static final int TABLES = RandomCases.of("mooring.test.decimals", 10);
  private static final int MOST_FAILURES = 20;

  private final long seed = Long.getLong("mooring.test.seed", System.nanoTime());
  private final Map<String, Integer> counts = ExpressionCheck.counts();
  private final List<String> failures = new ArrayList<>();

  @Test
  void castsAreThoseOfSpark() {
    System.out.println("DecimalTextsTest seed " + seed);
    SparkSession spark = ExpressionCheck.session();
    try {
      for (int i = 0; i < TABLES && failures.size() < MOST_FAILURES; i++) {
        table(spark, new Random(seed + i));
      }
    } finally {
      spark.stop();
    }
    System.out.println("DecimalTextsTest seed " + seed + ", what became of them: " + counts);
    failures.forEach(System.out::println);
    assertThat(failures).as("failures, seed " + seed).isEmpty();
    int expressions = counts.values().stream().mapToInt(Integer::intValue).sum();
    assertThat(counts.getOrDefault("equal", 0)).isGreaterThan(expressions / 3);
    assertThat(counts.keySet()).noneMatch(what -> what.startsWith("not translated"));
  }

  private void table(SparkSession spark, Random random) {
    StructType schema = DecimalTexts.schema();
    int count = List.of(1, 20, 400, 2_000).get(random.nextInt(4));
    List<Row> rows = new DecimalTexts(random).rows(count);
    AnalysedExpression.table(spark, "t", rows, schema);
    try (ExpressionCheck check = new ExpressionCheck(rows, schema, counts)) {
      for (String sql : expressions()) {
        for (String ansi : List.of("false", "true")) {
          Sessions.with(spark, "spark.sql.ansi.enabled", ansi, () -> run(spark, check, ansi, sql));
        }
      }
    }
  }

  private static List<String> expressions() {
    List<String> all = new ArrayList<>();
    for (int i = 0; i < DecimalTexts.TYPES.size(); i++) {
      DecimalType type = DecimalTexts.TYPES.get(i);
      all.add("cast(c as %s)".formatted(type.sql()));
      all.add("try_cast(c as %s)".formatted(type.sql()));
      all.add("cast(p%d as string)".formatted(i));
      all.add("try_cast(p%d as string)".formatted(i));
      all.add("cast(cast(p%d as string) as decimal(38,6))".formatted(i));
      all.add("case when b then cast(p%d as string) end".formatted(i));
      all.add("case when c like '%%1' then cast(c as %s) end".formatted(type.sql()));
    }
    return all;
  }

  private void run(SparkSession spark, ExpressionCheck check, String ansi, String sql) {
    Optional<AnalysedExpression> analysed = AnalysedExpression.of(spark, sql, "t");
    String problem = check.problem(analysed.orElseThrow());
    if (problem != null && failures.size() < MOST_FAILURES) {
      failures.add("FAILED ANSI " + ansi + ": " + sql + "\n  " + problem);
    }
  }
}
