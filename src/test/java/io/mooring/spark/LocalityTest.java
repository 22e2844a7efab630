package io.mooring.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.mooring.session.GpuAvailability;
import io.mooring.testing.Sessions;
import io.mooring.testing.SparkHomes;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.spark.rdd.RDD;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import scala.jdk.javaapi.CollectionConverters;

/** Which of two executors Spark runs the tasks of a scan on, as {@code scan.locality} has it. */
@Tag("extended")
@Tag("forked")
@Timeout(240)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LocalityTest {
  private static final int EXECUTORS = 2;
  private static final String SLEEP = "select java_method('java.lang.Thread', 'sleep', 10000L)";

  @TempDir static Path folder;
  private SparkSession spark;
  private final Tasks tasks = new Tasks();

  /** The tasks that have ended, by partition. */
  private static final class Tasks extends SparkListener {
    private final Map<Integer, String> executors = new ConcurrentHashMap<>();

    @Override
    public void onTaskEnd(SparkListenerTaskEnd end) {
      executors.put(end.taskInfo().index(), end.taskInfo().executorId());
    }
  }

  @BeforeAll
  void start() throws Exception {
    SparkHomes.link(name -> true);
    spark =
        Sessions.cluster(
            EXECUTORS,
            Map.of(
                "spark.jars", SparkHomes.mooring(folder).toString(),
                "spark.locality.wait.process", "500ms",
                "spark.mooring.sql.withoutGpu", "true",
                "spark.mooring.pinnedPool.size", "64m"));
    spark.range(0, 40_000, 1, 8).write().parquet(table());
    await().until(() -> spark.sparkContext().statusTracker().getExecutorInfos().length > EXECUTORS);
    // Tasks are planned as for a GPU, which this machine may lack.
    GpuAvailability.report("for a test", "", 0);
    spark.sparkContext().addSparkListener(tasks);
  }

  @AfterAll
  void stop() {
    spark.stop();
    GpuAvailability.clearReports();
  }

  private static String table() {
    return folder.resolve("table").toString();
  }

  private <T> T with(String locality, Supplier<T> work) {
    return Sessions.with(spark, "spark.mooring.scan.locality", locality, work);
  }

  /** Where Spark is asked to run the tasks that read the table. */
  private List<String> locations(String locality) {
    return with(
        locality,
        () -> {
          RDD<?> rows = spark.read().parquet(table()).queryExecution().toRdd();
          // Spark's scheduler looks for locations there too.
          while (!rows.dependencies().isEmpty()) {
            rows = rows.dependencies().head().rdd();
          }
          return locations(rows);
        });
  }

  private static List<String> locations(RDD<?> scan) {
    return Stream.of(scan.partitions())
        .flatMap(it -> CollectionConverters.asJava(scan.preferredLocations(it)).stream())
        .toList();
  }

  /** Reads the table; gives the executor of each task. */
  private Map<Integer, String> executors(String locality) {
    tasks.executors.clear();
    with(locality, () -> spark.read().parquet(table()).collectAsList());
    await().until(() -> tasks.executors.size() == EXECUTORS);
    return new HashMap<>(tasks.executors);
  }

  @Test
  void tasksRunWhereTheirFilesWereReadBefore() {
    assertThat(locations("always")).hasSize(EXECUTORS).allMatch(at -> at.startsWith("executor_"));
    Map<Integer, String> first = executors("always");
    assertThat(first.values()).doesNotHaveDuplicates();
    for (int i = 0; i < 5; i++) {
      assertThat(executors("always")).isEqualTo(first);
    }
  }

  @Test
  void filesOfThisMachineAreNotRemote() {
    assertThat(locations("remote")).isEmpty();
    assertThat(locations("never")).isEmpty();
  }

  @Test
  void aBusyExecutorIsWaitedForNoLongerThanSparkIsTold() throws Exception {
    executors("always");
    Thread other = new Thread(this::sleepInATask);
    other.start();
    await().until(() -> running() > 0);
    executors("always");
    assertThat(running()).as("the other query is not over").isPositive();
    spark.sparkContext().cancelJobGroup(SLEEP);
    other.join();
    await().until(() -> running() == 0);
  }

  private void sleepInATask() {
    spark.sparkContext().setJobGroup(SLEEP, SLEEP, true);
    assertThatThrownBy(() -> spark.sql(SLEEP).collect()).hasMessageContaining("cancelled");
  }

  private int running() {
    int running = 0;
    for (var executor : spark.sparkContext().statusTracker().getExecutorInfos()) {
      running += executor.numRunningTasks();
    }
    return running;
  }
}
