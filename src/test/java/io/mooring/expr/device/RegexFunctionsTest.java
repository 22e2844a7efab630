package io.mooring.expr.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.expr.RandomRegexes;
import io.mooring.testing.RequiresGpu;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Functions of random regular expressions on the device, with the results of Spark. {@code
 * mooring.test.regexes} sets how many expressions and {@code mooring.test.seed} repeats a run.
 */
@RequiresGpu
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RegexFunctionsTest {
  private static final int CASES = Integer.getInteger("mooring.test.regexes", 300);
  private static final int TEXTS = 400;
  private static final int MOST_FAILURES = 20;
  private static final StructType SCHEMA = new StructType().add("c", DataTypes.StringType, true);
  private static final List<String> ADDRESSES =
      List.of(
          "http://www.example.org/a/b",
          "https://example.org/",
          "https://www.example.org",
          "http://www./x",
          "http://www.www.a/http://b/",
          " https://a/b",
          "https:///b",
          "http://ä.org/日本",
          "");

  private final long seed = Long.getLong("mooring.test.seed", System.nanoTime());
  private final Map<String, Integer> counts = ExpressionCheck.counts();
  private final List<String> failures = new ArrayList<>();
  private SparkSession spark;

  @BeforeAll
  void start() {
    System.out.println("RegexFunctionsTest seed " + seed);
    spark = ExpressionCheck.session();
  }

  @AfterAll
  void stop() {
    spark.stop();
  }

  @Test
  void randomExpressionsGiveWhatSparkGives() {
    Random random = new Random(seed);
    RandomRegexes regexes = new RandomRegexes(random);
    List<String> texts =
        new ArrayList<>(IntStream.range(0, TEXTS).mapToObj(i -> line(regexes)).toList());
    texts.set(random.nextInt(TEXTS), null);
    List<String> all = new ArrayList<>();
    for (int i = 0; i < CASES; i++) {
      String pattern = literal(regexes.pattern());
      all.add("c rlike " + pattern);
      all.add("regexp_replace(c, %s, %s)".formatted(pattern, literal(regexes.replacement())));
      all.add("regexp_extract(c, %s, %d)".formatted(pattern, random.nextInt(3)));
    }
    check(texts, all);
    assertThat(counts.getOrDefault("equal", 0)).isGreaterThan(CASES / 2);
  }

  private static String line(RandomRegexes regexes) {
    return regexes.text().replaceAll("[\n\r\u2028]", "");
  }

  private static String literal(String text) {
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "regexp_replace(c, '^https?://(?:www\\\\.)?([^/]+)/.*$', '$1')",
        "regexp_replace(c, '^https?://(?:www\\\\.)?([^/]+)/.*$', '<$1>')",
        "regexp_replace(c, '^([^/]*)(//)?(.*)$', '$1')",
        "regexp_replace(c, '^([^/]*)(//)?(.*)$', '$2')",
        "regexp_replace(c, '(?<scheme>https?)://', '<${scheme}>')",
        "regexp_replace(c, '(?:a|ab)(?:c|bcd)|/', '')",
        "regexp_replace(c, '(ä)?(.)', '$2$1')",
        "regexp_replace(c, '[^/]', 'ä')",
        "regexp_extract(c, '//(www\\\\.)?([a-z]+)', 1)",
        "regexp_extract(c, '//(www\\\\.)?([a-z]+)', 2)",
        "regexp_extract(c, '/[^/]*$', 0)",
        "regexp_extract(c, '^(.*?)(?:/|$)', 1)",
        "c rlike '^(http|https)://(www\\\\.)+'",
      })
  void addressesAreTakenApart(String sql) {
    List<String> texts = new ArrayList<>(ADDRESSES);
    texts.add(null);
    texts.add("x" + "abcd".repeat(3_000) + "/");
    check(texts, List.of(sql));
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\nb", "a\n", "\r", "\u2028b"})
  void linesAreSparks(String text) {
    int before = counts.getOrDefault("left to Spark: strings with line ends", 0);
    check(List.of(text), List.of("regexp_replace(c, '.', 'x')", "regexp_extract(c, '(.*)$', 1)"));
    assertThat(counts.get("left to Spark: strings with line ends")).isEqualTo(before + 2);
    check(List.of(text), List.of("regexp_replace(c, '\\\\s+|(a)', '<$1>')"));
  }

  /** More rows than libcudf has memory for threads at a time. */
  @Test
  void manyRowsAreTakenInParts() {
    List<String> texts =
        IntStream.range(0, 40_000).mapToObj(i -> i % 7 == 0 ? null : "k" + i + "=v" + i).toList();
    String repeated = "([a-k]\\\\d{1,40})(?:=v){1,40}(\\\\d{2,40})(?:x|y{1,40}|z{1,40}){1,2}?";
    String optional = repeated.substring(0, repeated.indexOf("(?:x"));
    check(
        texts,
        List.of(
            "c rlike '^" + optional + "'",
            "c rlike '^" + repeated + "'",
            "regexp_replace(c, '" + optional + "', '')",
            "regexp_replace(c, '" + optional + "', '$2-$1')",
            "regexp_replace(c, '^" + optional + "$', '$2')",
            "regexp_extract(c, '" + optional + "', 2)"));
  }

  private void check(List<String> texts, List<String> expressions) {
    List<Row> rows = texts.stream().map(RowFactory::create).toList();
    AnalysedExpression.table(spark, "texts", rows, SCHEMA);
    failures.clear();
    try (ExpressionCheck check = new ExpressionCheck(rows, SCHEMA, counts)) {
      for (String sql : expressions) {
        AnalysedExpression.of(spark, sql, "texts")
            .map(check::problem)
            .ifPresent(problem -> failures.add(sql + ": " + problem));
        assertThat(failures.size()).as("%s", failures).isLessThan(MOST_FAILURES);
      }
    }
    System.out.println("RegexFunctionsTest " + counts.getOrDefault("equal", 0) + " equal");
    assertThat(failures).as("seed " + seed).isEmpty();
  }
}
