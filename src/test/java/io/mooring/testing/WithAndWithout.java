package io.mooring.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.Supplier;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** The same query through Mooring and, with Mooring turned off, on Spark's own plan. */
public record WithAndWithout(Dataset<Row> ours, Dataset<Row> sparks) {
  private static final String ENABLED = "spark.mooring.sql.enabled";

  /** Runs the query both ways; schema and rows are equal, and only the first scans are ours. */
  public static WithAndWithout run(SparkSession spark, Supplier<Dataset<Row>> query) {
    Dataset<Row> ours = query.get();
    List<String> rows = ScanResults.rows(ours);
    spark.conf().set(ENABLED, "false");
    try {
      Dataset<Row> sparks = query.get();
      assertThat(rows).isEqualTo(ScanResults.rows(sparks));
      assertThat(ours.schema()).isEqualTo(sparks.schema());
      assertThat(Plans.ours(sparks)).isEmpty();
      return new WithAndWithout(ours, sparks);
    } finally {
      spark.conf().unset(ENABLED);
    }
  }

  /** Does {@link #run(SparkSession, Supplier)} for SQL text. */
  public static WithAndWithout run(SparkSession spark, String sql) {
    return run(spark, () -> spark.sql(sql));
  }

  /** Whether each scan of ours evaluates aggregates. */
  public boolean scansAggregate() {
    return Plans.ours(ours).stream()
        .allMatch(scan -> scan.simpleString(1000).contains("aggregates ["));
  }

  /** Every file scan of the query was ours. */
  public WithAndWithout assertOurs() {
    assertThat(Plans.ours(ours)).isNotEmpty();
    assertThat(Plans.sparks(ours)).isEmpty();
    return this;
  }

  /** Every file scan of the query stayed with Spark, and the plan tells why. */
  public WithAndWithout assertSparks(String reason) {
    assertThat(Plans.ours(ours)).isEmpty();
    assertThat(Plans.sparks(ours)).isNotEmpty();
    assertThat(ours.queryExecution().toString()).contains("not Mooring: " + reason);
    return this;
  }

  /** Both plans have as many nodes whose names begin so. */
  public WithAndWithout assertEqualCounts(String... names) {
    for (String name : names) {
      assertThat(Plans.count(ours, name)).as(name).isEqualTo(Plans.count(sparks, name));
    }
    return this;
  }
}
