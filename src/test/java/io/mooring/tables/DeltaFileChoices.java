package io.mooring.tables;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.testing.ScanResults;
import io.mooring.testing.WithAndWithout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** A session with tables of Delta Lake, which tells how their files are chosen. */
@Tag("tables")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class DeltaFileChoices {
  @TempDir static Path folder;
  private final AtomicInteger jobs = new AtomicInteger();
  SparkSession spark;
  private int tables;

  @BeforeAll
  void start() {
    spark = DeltaSessions.start(folder.resolve("warehouse"), Map.of());
    spark
        .sparkContext()
        .addSparkListener(
            new SparkListener() {
              @Override
              public void onJobStart(SparkListenerJobStart start) {
                jobs.incrementAndGet();
              }
            });
  }

  @AfterAll
  void stop() {
    spark.stop();
  }

  /** A table of ids up to 1,000 in ten files. */
  String table(String properties) {
    String table = "t" + tables++;
    spark.sql(
        "create table " + table + " (id bigint, k bigint, s string) using delta" + properties);
    append(table, 0);
    return table;
  }

  void append(String table, int from) {
    spark
        .range(from, from + 1000, 1, 10)
        .selectExpr("id", "id % 7 k", "concat('text ', id) s")
        .write()
        .format("delta")
        .mode("append")
        .saveAsTable(table);
  }

  List<String> files(String sql) {
    return new ArrayList<>(new TreeSet<>(Arrays.asList(spark.sql(sql).inputFiles())));
  }

  /** The number of jobs that planning takes. */
  int jobsOf(String sql) throws Exception {
    return jobsOf(() -> spark.sql(sql).queryExecution().executedPlan());
  }

  /** The number of jobs that some work takes. */
  int jobsOf(Runnable work) throws Exception {
    spark.sparkContext().listenerBus().waitUntilEmpty();
    int before = jobs.get();
    work.run();
    spark.sparkContext().listenerBus().waitUntilEmpty();
    return jobs.get() - before;
  }

  void assertRows(String sql) {
    WithAndWithout.run(spark, sql).assertOurs();
  }

  /** The rule must not make a difference to the rows, whatever came before. */
  void assertSameAsDeltas(String sql) {
    List<String> ours = ScanResults.rows(spark.sql(sql));
    spark.conf().set("spark.mooring.sql.delta.enabled", "false");
    try {
      assertThat(ours).as(sql).isEqualTo(ScanResults.rows(spark.sql(sql)));
    } finally {
      spark.conf().unset("spark.mooring.sql.delta.enabled");
    }
  }
}
