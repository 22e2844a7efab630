package io.mooring.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.testing.Plans;
import io.mooring.testing.RequiresGpu;
import io.mooring.testing.Sessions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.datasources.v2.BatchScanExec;

/**
 * One query with Mooring and without. Equal scans count once: Spark reuses exchanges above them,
 * and Mooring build sides.
 *
 * @param mooring how many scans went through Mooring
 * @param reasons why scans stayed with Spark, one for each
 * @param unmerged how many scans there are when sub-queries over one table are left as they are
 * @param sparkScans how many scans Spark's own plan has
 * @param gpuFiles splits that were decoded on the GPU
 * @param cpuFiles splits of Mooring's scans that Spark's reader read
 */
record TpcdsResult(
    String query,
    boolean same,
    int rows,
    int mooring,
    List<String> reasons,
    int unmerged,
    int sparkScans,
    long gpuFiles,
    long cpuFiles) {
  private static final Pattern REASON = Pattern.compile("not Mooring: ([^)]*)");
  // Which of the rows that tie a limit keeps is open.
  private static final Pattern LIMIT = Pattern.compile("(?is)\\s+limit\\s+100\\s*;?\\s*$");

  static TpcdsResult of(SparkSession spark, Path file) throws IOException {
    String sql = sql(file);
    Dataset<Row> ours = spark.sql(sql);
    List<String> rows = rows(ours);
    Dataset<Row> plan = planned(spark, sql);
    int unmerged = unmerged(spark, sql);
    return Sessions.with(
        spark,
        "spark.mooring.sql.enabled",
        "false",
        () -> {
          Dataset<Row> sparks = spark.sql(sql);
          boolean same = rows.equals(rows(sparks)) && ours.schema().equals(sparks.schema());
          return new TpcdsResult(
              file.getFileName().toString().replace(".sql", ""),
              same,
              rows.size(),
              different(Plans.ours(plan)).size(),
              different(Plans.sparks(plan)).stream().map(scan -> reason(scan.toString())).toList(),
              unmerged,
              different(Plans.sparks(planned(spark, sql))).size(),
              sum(Plans.ours(ours), "gpuFiles"),
              sum(Plans.ours(ours), "cpuFiles"));
        });
  }

  /** A query in Spark's dialect, without its limit. */
  static String sql(Path file) throws IOException {
    return LIMIT.matcher(limitedSql(file)).replaceAll("");
  }

  /** A query in Spark's dialect. */
  static String limitedSql(Path file) throws IOException {
    return Files.readString(file).strip().replaceAll(";$", "").replace('"', '`');
  }

  /**
   * The plan with which adaptive execution begins; at its end, inputs that turned out empty may be
   * missing.
   */
  private static Dataset<Row> planned(SparkSession spark, String sql) {
    return Sessions.with(
        spark,
        "spark.sql.adaptive.enabled",
        "false",
        () -> {
          Dataset<Row> data = spark.sql(sql);
          data.queryExecution().executedPlan();
          return data;
        });
  }

  private static int unmerged(SparkSession spark, String sql) {
    Dataset<Row> plan =
        Sessions.with(
            spark, "spark.mooring.sql.mergeSubqueries", "false", () -> planned(spark, sql));
    return different(Plans.ours(plan)).size() + different(Plans.sparks(plan)).size();
  }

  private static List<SparkPlan> different(List<SparkPlan> scans) {
    Map<Object, SparkPlan> different = new LinkedHashMap<>();
    scans.forEach(scan -> different.putIfAbsent(read(scan), scan));
    return List.copyOf(different.values());
  }

  /** What a scan reads. Those of Mooring may give fewer columns than they read. */
  private static Object read(SparkPlan scan) {
    return scan instanceof BatchScanExec ours ? ours.scan().description() : scan.canonicalized();
  }

  private static long sum(List<SparkPlan> scans, String metric) {
    return scans.stream().mapToLong(scan -> (Long) scan.metrics().apply(metric).value()).sum();
  }

  private static String reason(String scan) {
    Matcher matcher = REASON.matcher(scan);
    return matcher.find() ? matcher.group(1) : "no reason";
  }

  /** Sorted; of floating-point sums, which are added up in any order, nine digits. */
  private static List<String> rows(Dataset<Row> data) {
    List<String> rows = new ArrayList<>();
    for (Row row : data.collectAsList()) {
      List<String> values = new ArrayList<>();
      for (int i = 0; i < row.length(); i++) {
        Object value = row.get(i);
        values.add(value instanceof Double d ? String.format(Locale.ROOT, "%.8e", d) : "" + value);
      }
      rows.add(values.toString());
    }
    rows.sort(null);
    return rows;
  }

  void check() {
    assertThat(same).as(query + " gives the same").isTrue();
    assertThat(unmerged).as(query + " scans").isEqualTo(sparkScans);
    assertThat(mooring + reasons.size()).as(query + " scans").isBetween(1, sparkScans);
    assertThat(reasons).as(query).doesNotContain("no reason");
    if (RequiresGpu.Condition.gpuIsThere()) {
      assertThat(cpuFiles).as(query + " splits by Spark's reader").isZero();
    }
  }

  /** For a table in Markdown. */
  String row() {
    String why =
        reasons.stream()
            .distinct()
            .map(it -> reasons.stream().filter(it::equals).count() + ": " + it)
            .collect(Collectors.joining("; "));
    return String.join(
        " | ",
        "| " + query,
        same ? "same" : "DIFFERENT",
        "" + rows,
        "" + sparkScans,
        "" + mooring,
        why.isEmpty() ? "none" : why,
        gpuFiles + " |");
  }
}
