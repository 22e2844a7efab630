package io.mooring.stage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mooring.gpu.GpuRuntime;
import io.mooring.metrics.FileFallbacks;
import io.mooring.testing.Answers;
import io.mooring.testing.RandomCases;
import io.mooring.testing.RandomRun;
import io.mooring.testing.RandomTables;
import io.mooring.testing.ScanResults;
import io.mooring.testing.Sessions;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random joins with broadcasts and with build sides that executors read themselves, above each
 * other and below aggregates, each with stages and with Mooring turned off. {@code
 * mooring.test.cases} sets how many; {@code mooring.test.seed} repeats a run.
 */
@Tag("random")
class RandomJoinsTest {
  private static final int CASES = RandomCases.of("mooring.test.cases", 10, 75);
  private static final long SEED = Long.getLong("mooring.test.seed", System.nanoTime());
  private static final int ROWS = 3_000;
  private static final int FILES = 3;
  @TempDir static Path folder;

  /** The cases with a join in a stage. */
  private final StagedCases staged = new StagedCases();

  @Test
  void everyAnswerIsSparks() {
    SparkSession spark =
        Sessions.transparent(
            folder.resolve("warehouse"), Map.of("spark.mooring.pinnedPool.size", "64m"));
    try {
      write(spark);
      run(spark);
      assertNothingInUse();
    } finally {
      spark.stop();
    }
    GpuRuntime.current()
        .filter(GpuRuntime::usable)
        .ifPresent(gpu -> assertThat(gpu.devices().reservedBytes()).isZero());
  }

  private static void assertNothingInUse() {
    GpuRuntime.current()
        .filter(GpuRuntime::usable)
        .ifPresent(gpu -> await().until(() -> gpu.devices().areIdle()));
  }

  /** A streamed table, one of some of its rows, twice a third of them, and one with others. */
  private static void write(SparkSession spark) {
    Dataset<Row> rows =
        spark.createDataFrame(new RandomTables(SEED).rows(ROWS), RandomTables.ALL_TYPES);
    save("t", rows.repartition(FILES), ROWS / FILES / 4);
    Dataset<Row> some = rows.limit(300);
    save("u", some.union(rows.limit(100)).coalesce(1), ROWS);
    Dataset<Row> others =
        spark.createDataFrame(new RandomTables(SEED + 1).rows(100), RandomTables.ALL_TYPES);
    save("v", others.union(rows.limit(50)).coalesce(1), ROWS);
  }

  private static void save(String table, Dataset<Row> rows, int groupRows) {
    String path = folder.resolve(table).toString();
    rows.write().option("parquet.block.row.count.limit", groupRows).parquet(path);
  }

  private void run(SparkSession spark) {
    RandomRun cases = new RandomRun(getClass(), SEED, CASES);
    cases.inSessions(spark, this::suite);
    System.out.println(cases + ", " + staged + "; left: " + FileFallbacks.take());
    cases.assertNoneDiffers();
    if (cases.isLong()) {
      staged.assertMostStaged(cases);
    }
    staged.assertMostOnGpu();
  }

  private Supplier<String> suite(SparkSession spark, int thread) {
    for (String table : List.of("t", "u", "v")) {
      spark.read().parquet(folder.resolve(table).toString()).createOrReplaceTempView(table);
    }
    Random random = new Random(SEED + thread);
    RandomJoinQueries queries = new RandomJoinQueries(random);
    return () -> difference(spark, random, queries);
  }

  private String difference(SparkSession spark, Random random, RandomJoinQueries queries) {
    boolean replicated = random.nextInt(3) == 0;
    String query = queries.next(replicated ? "" : "/*+ BROADCAST(u, v) */ ");
    boolean ansi = random.nextBoolean();
    spark.conf().set("spark.mooring.sql.replicatedJoins", replicated ? "always" : "never");
    spark.conf().set("spark.sql.autoBroadcastJoinThreshold", replicated ? "-1" : "10m");
    spark.conf().set("spark.sql.ansi.enabled", ansi);
    // With a null among the values of NOT IN, adaptive execution may end a query before another
    // build side fails, or after it: Spark's own answer depends on which job is faster.
    boolean adaptive = random.nextBoolean() && !(ansi && query.contains(" not in ("));
    spark.conf().set("spark.sql.adaptive.enabled", adaptive);
    String difference = Answers.difference(spark, query, ours(spark, query));
    String settings = "ansi " + ansi + (replicated ? " replicated: " : ": ");
    return difference.isEmpty() ? "" : settings + difference;
  }

  private String ours(SparkSession spark, String query) {
    try {
      Dataset<Row> data = spark.sql(query);
      String rows = ScanResults.rows(data).toString();
      staged.count(Stages.with(data, "BroadcastHashJoin"));
      return rows;
    } catch (Exception e) {
      return Answers.ofError(e);
    }
  }
}
