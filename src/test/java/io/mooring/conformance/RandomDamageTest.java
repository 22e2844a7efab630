package io.mooring.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.conformance.DamageCase.GoodFile;
import io.mooring.testing.RandomCases;
import io.mooring.testing.Sessions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Randomly damaged files: the schema and rows, or the errors, that Spark's own reader gives. {@code
 * mooring.test.damages} sets how many and {@code mooring.test.threads} how many at a time; {@code
 * mooring.test.seed} with one damage repeats that of a seed.
 */
@Tag("extended")
@Tag("forked")
@Tag("random")
class RandomDamageTest {
  private static final int DAMAGES = RandomCases.of("mooring.test.damages", 30);
  private static final int AT_ONCE = Integer.getInteger("mooring.test.threads", 2);
  private static final long SEED = Long.getLong("mooring.test.seed", System.nanoTime());
  private static final int REPORT_EACH = 1_000;
  private static final int ENOUGH = 50;
  // Spark's own reader can loop for ever, and the thread that it does so on is lost.
  private static final int MOST_LOST = 2 + DAMAGES / 250;
  private static final Map<String, String> SETTINGS =
      Map.of(
          "spark.master", "local[" + (AT_ONCE + MOST_LOST) + "]",
          "spark.mooring.pinnedPool.size", "64m",
          "spark.sql.shuffle.partitions", "1",
          "spark.sql.adaptive.enabled", "false",
          "spark.ui.liveUpdate.period", "-1",
          // Errors that Spark's reader meets in damaged files must not end this process.
          "spark.executor.killOnFatalError.depth", "0");

  @TempDir Path folder;
  private final AtomicInteger done = new AtomicInteger();
  private final AtomicInteger refused = new AtomicInteger();
  private final AtomicInteger lost = new AtomicInteger();
  private final ExecutorService queries =
      Executors.newCachedThreadPool(
          work -> {
            Thread thread = new Thread(work, "damage");
            thread.setDaemon(true);
            return thread;
          });

  @Test
  void damagedFilesAreReadOrRefusedAsSparkDoes() throws Exception {
    System.out.println("RandomDamageTest seed " + SEED);
    Map<String, String> settings = new HashMap<>(SETTINGS);
    settings.putAll(RandomSettings.ofCodeGeneration(false));
    SparkSession ours = Sessions.transparent(folder.resolve("warehouse"), settings);
    try {
      List<GoodFile> files = GoodFile.several(ours, folder);
      ours.sparkContext().setLogLevel("OFF");
      SparkSession sparks = ours.newSession();
      sparks.conf().set("spark.mooring.sql.enabled", "false");
      List<String> failures = runAll(seed -> run(ours, sparks, files, seed));
      System.out.println(this);
      assertThat(failures).isEmpty();
      if (done.get() >= ENOUGH) {
        assertThat(refused.get()).isBetween(done.get() / 10, done.get() * 9 / 10);
      }
    } finally {
      ours.stop();
    }
  }

  private interface Damage {
    String of(long seed) throws Exception;
  }

  private static List<String> runAll(Damage damage) throws Exception {
    List<Callable<String>> cases = new ArrayList<>();
    for (int i = 0; i < DAMAGES; i++) {
      long seed = SEED + i;
      cases.add(() -> damage.of(seed));
    }
    ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE);
    try {
      List<String> failures = new ArrayList<>();
      for (Future<String> result : threads.invokeAll(cases)) {
        if (!result.get().isEmpty()) {
          failures.add(result.get());
        }
      }
      return failures;
    } finally {
      threads.shutdownNow();
    }
  }

  /** What differs; nothing once too many threads are lost. */
  private String run(SparkSession ours, SparkSession sparks, List<GoodFile> files, long seed)
      throws Exception {
    if (lost.get() > MOST_LOST) {
      return "";
    }
    DamageCase result = DamageCase.run(ours, sparks, files, folder, seed, queries);
    refused.addAndGet(result.refused() ? 1 : 0);
    if (result.timedOut()) {
      lost.incrementAndGet();
      System.out.println("Spark's reader does not end with seed " + seed);
    }
    if (done.incrementAndGet() % REPORT_EACH == 0) {
      System.out.println(this);
    }
    if (result.problem().isEmpty()) {
      return "";
    }
    String failure = "seed " + seed + ": " + result.problem();
    System.out.println("FAILED " + failure);
    return failure;
  }

  @Override
  public String toString() {
    return done + " damaged files, " + refused + " refused, " + lost + " without end in Spark";
  }
}
