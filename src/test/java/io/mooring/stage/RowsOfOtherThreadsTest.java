package io.mooring.stage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mooring.gpu.GpuRuntime;
import io.mooring.memory.PinnedPool;
import io.mooring.testing.Interpreted;
import io.mooring.testing.RequiresGpu;
import io.mooring.testing.Sessions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.spark.TaskContext;
import org.apache.spark.TaskContext$;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Rows that other threads than that of their task read: Spark feeds commands so, and does not wait
 * for its threads when a task ends.
 */
@RequiresGpu
class RowsOfOtherThreadsTest {
  private static final int ROWS = 200_000;
  private static final int TASKS_THAT_END_EARLY = 20;
  private static final ConcurrentLinkedQueue<CompletableFuture<Long>> SUMS =
      new ConcurrentLinkedQueue<>();
  private static final ExecutorService READERS = Executors.newCachedThreadPool();

  @TempDir static Path folder;

  private static SparkSession spark;

  private static volatile CountDownLatch ended = new CountDownLatch(0);

  @BeforeAll
  static void start() {
    spark =
        Sessions.transparent(
            folder.resolve("warehouse"),
            Interpreted.compiledAnd(
                Map.of(
                    "spark.mooring.pinnedPool.size", "64m",
                    "spark.mooring.sql.singleTaskAggregates", "always",
                    "spark.mooring.scan.coalesceSize", "0")));
    String path = folder.resolve("rows").toString();
    spark
        .range(0, ROWS, 1, 2)
        .selectExpr("id", "concat('text of row ', id) t")
        .write()
        .option("parquet.block.row.count.limit", 20_000)
        .parquet(path);
    spark.read().parquet(path).createOrReplaceTempView("rows");
  }

  @AfterAll
  static void stop() {
    READERS.shutdownNow();
    spark.stop();
  }

  /** Nothing is left in use, at the latest once nobody can reach it. */
  @AfterEach
  void nothingIsLeft() {
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () -> {
              System.gc();
              assertThat(GpuRuntime.current().orElseThrow().devices().areIdle()).isTrue();
              assertThat(PinnedPool.stats().bytesInUse()).isZero();
            });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select id, t from rows",
        "select id + 1 id, concat(t, '.') t from rows where id % 3 = 1"
      })
  void commandsThatAreNotReadToTheEnd_getRowsUntilTheirTaskEnds(String query) {
    for (int i = 0; i < TASKS_THAT_END_EARLY; i++) {
      Dataset<Row> rows = spark.sql(query);
      List<String> first = rows.toJavaRDD().pipe("cat").take(1);
      assertThat(first).hasSize(1);
      assertThat(first.get(0)).contains("text of row ");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select id, t from rows",
        "select id + 1 id, concat(t, '.') t from rows where id % 3 = 1",
        "select id % 50000 id, max(t) t from rows group by id % 50000"
      })
  void threadsThatReadOnAfterTheirTask_getRightRowsOrAnError(String query) throws Exception {
    long all = 0;
    for (Row row : spark.sql(query).collectAsList()) {
      all += row.getLong(0) * 31 + row.getString(1).hashCode();
    }
    SUMS.clear();
    ended = new CountDownLatch(1);
    spark
        .sql(query)
        .mapPartitions(
            (MapPartitionsFunction<Row, Long>) RowsOfOtherThreadsTest::readElsewhere,
            Encoders.LONG())
        .collectAsList();
    ended.countDown();
    assertThat(SUMS).isNotEmpty();
    long sum = 0;
    boolean refused = false;
    for (CompletableFuture<Long> partition : SUMS) {
      try {
        sum += partition.get();
      } catch (ExecutionException e) {
        assertThat(e).hasMessageContaining("The task has ended");
        refused = true;
      }
    }
    assertThat(refused || sum == all).isTrue();
    SUMS.clear();
  }

  /** The task ends at once; a thread reads its rows meanwhile and afterwards. */
  private static Iterator<Long> readElsewhere(Iterator<Row> rows) {
    TaskContext task = TaskContext.get();
    SUMS.add(
        CompletableFuture.supplyAsync(
            () -> {
              // Spark's threads that feed commands do so, too.
              TaskContext$.MODULE$.setTaskContext(task);
              long sum = 0;
              for (long count = 0; rows.hasNext(); count++) {
                Row row = rows.next();
                sum += row.getLong(0) * 31 + row.getString(1).hashCode();
                if (count == 100) {
                  awaitEnd();
                }
              }
              return sum;
            },
            READERS));
    return List.<Long>of().iterator();
  }

  private static void awaitEnd() {
    try {
      ended.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
