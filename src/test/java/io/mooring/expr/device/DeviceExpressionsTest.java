package io.mooring.expr.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.expr.CatalystTranslator;
import io.mooring.testing.RandomCases;
import io.mooring.testing.RequiresGpu;
import io.mooring.testing.Sessions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Random expressions on the device against Catalyst's interpreter: the same values, and where Spark
 * fails, rows for Spark. {@code mooring.test.expressions} sets how many and {@code
 * mooring.test.seed} repeats a run; the file target/last-expression.txt tells what ran last.
 */
@RequiresGpu
@Tag("random")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DeviceExpressionsTest {
  private static final int CASES = RandomCases.of("mooring.test.expressions", 1_000);
  private static final int CASES_A_TABLE = 100;
  private static final int MOST_FAILURES = 30;
  private static final Path LAST =
      Path.of(System.getProperty("mooring.basedir"), "target", "last-expression.txt");

  private final long seed = Long.getLong("mooring.test.seed", System.nanoTime());
  private final Map<String, Integer> counts = ExpressionCheck.counts();
  private final Map<String, String> failures = new LinkedHashMap<>();
  private SparkSession spark;

  @BeforeAll
  void start() {
    System.out.println("DeviceExpressionsTest seed " + seed);
    spark = ExpressionCheck.session();
  }

  @AfterAll
  void stop() {
    spark.stop();
  }

  @Test
  void randomExpressionsAreThoseOfSpark() throws IOException {
    for (int first = 0; first < CASES && failures.size() < MOST_FAILURES; first += CASES_A_TABLE) {
      round(new Random(seed + first), first, Math.min(CASES_A_TABLE, CASES - first));
    }
    System.out.println("DeviceExpressionsTest seed " + seed + ", what became of them:");
    counts.forEach((what, count) -> System.out.println("  " + count + " " + what));
    failures.values().forEach(System.out::println);
    assertThat(failures.keySet()).as("failures, told above; seed " + seed).isEmpty();
    assertThat(counts.getOrDefault("equal", 0)).isGreaterThan(CASES / 4);
  }

  private void round(Random random, int first, int cases) throws IOException {
    StructType schema = RandomValues.schema();
    int count = List.of(1, 33, 300, 1_000).get(random.nextInt(4));
    List<Row> rows = new RandomValues(random).rows(count, random.nextInt(3) * 0.2);
    AnalysedExpression.table(spark, "t", rows, schema);
    RandomExpressions expressions = new RandomExpressions(random);
    try (ExpressionCheck check = new ExpressionCheck(rows, schema, counts)) {
      for (int i = 0; i < cases && failures.size() < MOST_FAILURES; i++) {
        String ansi = String.valueOf(random.nextBoolean());
        String zone = zone(random);
        String sql = expressions.next();
        Files.writeString(LAST, "case %d, ANSI %s: %s%n".formatted(first + i, ansi, sql));
        Sessions.with(
            spark,
            Map.of("spark.sql.ansi.enabled", ansi, "spark.sql.session.timeZone", zone),
            () -> run(check, "ANSI " + ansi + ", " + zone + ": " + sql, sql));
      }
    }
  }

  private static String zone(Random random) {
    return switch (random.nextInt(4)) {
      case 0 -> "+05:30";
      case 1 -> RandomZones.one(random);
      default -> "UTC";
    };
  }

  private void run(ExpressionCheck check, String description, String sql) {
    Optional<AnalysedExpression> analysed;
    try {
      analysed = AnalysedExpression.of(spark, sql, "t");
    } catch (Exception e) {
      // Constants are folded, and fail, before there is a plan.
      counts.merge(
          e instanceof AnalysisException ? "not analysed" : "not planned", 1, Integer::sum);
      return;
    }
    if (analysed.isEmpty()) {
      counts.merge("no single projection", 1, Integer::sum);
      return;
    }
    String problem = check.problem(analysed.get());
    if (problem != null) {
      report(check, description, analysed.get(), problem);
    }
  }

  /** Tells the smallest part of an expression that is wrong as well. */
  private void report(
      ExpressionCheck check, String description, AnalysedExpression whole, String problem) {
    for (AnalysedExpression part : whole.parts()) {
      String smaller = part.expression() == whole.expression() ? problem : check.problem(part);
      if (smaller != null) {
        failures.putIfAbsent(
            key(part.expression()) + kind(smaller),
            "FAILED %s%n  smallest: %s%n  of types %s%n  ours: %s%n  %s"
                .formatted(
                    description, part.expression(), key(part.expression()), ours(part), smaller));
        return;
      }
    }
  }

  private static String kind(String problem) {
    return problem.startsWith("row ") ? " differs" : " " + problem.lines().findFirst().orElse("");
  }

  private static String key(Expression expression) {
    return expression.getClass().getSimpleName()
        + CollectionConverters.asJava(expression.children()).stream()
            .map(child -> child.getClass().getSimpleName() + ":" + child.dataType().sql())
            .toList()
        + "->"
        + expression.dataType().sql();
  }

  private static String ours(AnalysedExpression part) {
    try {
      return String.valueOf(new CatalystTranslator(part.input()).translate(part.expression()));
    } catch (Exception e) {
      return e.toString();
    }
  }
}
