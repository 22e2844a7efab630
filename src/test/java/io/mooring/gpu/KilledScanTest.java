package io.mooring.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.testing.ChildJvm;
import io.mooring.testing.RequiresGpu;
import io.mooring.testing.ScanResults;
import io.mooring.testing.Sessions;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A process killed while it scans leaves nothing behind that the next one stumbles over. */
@Tag("forked-gpu")
@RequiresGpu
class KilledScanTest {
  private static final int KILLED = 128 + 9;

  @TempDir Path folder;

  @Test
  @Timeout(value = 5, unit = TimeUnit.MINUTES)
  void aProcessKilledInAScanIsFollowedByOneThatScansRight() throws Exception {
    long seed = System.nanoTime();
    System.out.println("seed " + seed);
    String table = folder.resolve("table").toString();
    assertThat(start("write", table).waitFor()).isZero();

    long before = System.nanoTime();
    Process killed = start("loop", table);
    await(killed, Scans.FIRST_RESULT);
    final Duration first = since(before);
    Thread.sleep(new Random(seed).nextInt(500));
    killed.destroyForcibly();
    assertThat(killed.waitFor()).as("it was scanning to the end").isEqualTo(KILLED);

    before = System.nanoTime();
    Process second = start("once", table);
    await(second, Scans.FIRST_RESULT);
    assertThat(since(before)).isLessThan(first.multipliedBy(3).plusSeconds(5));
    assertThat(second.waitFor()).isZero();
  }

  private static Duration since(long nanos) {
    return Duration.ofNanos(System.nanoTime() - nanos);
  }

  private Process start(String... arguments) throws IOException {
    return ChildJvm.of(Scans.class, folder, arguments)
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  private static void await(Process process, String line) throws IOException {
    BufferedReader output = process.inputReader();
    for (String next = output.readLine(); next != null; next = output.readLine()) {
      if (next.equals(line)) {
        return;
      }
    }
    throw new AssertionError("The process ended without a result");
  }

  /** What the processes do. */
  static final class Scans {
    static final String FIRST_RESULT = "first result";
    private static final int ROWS = 1_000_000;

    private Scans() {}

    public static void main(String[] arguments) {
      SparkSession spark = Sessions.withPlugin(4, Map.of("spark.mooring.pinnedPool.size", "256m"));
      String table = arguments[1];
      switch (arguments[0]) {
        case "write" -> write(spark, table);
        case "loop" -> {
          scan(spark, table);
          System.out.println(FIRST_RESULT);
          while (true) {
            scan(spark, table);
          }
        }
        default -> {
          scan(spark, table);
          System.out.println(FIRST_RESULT);
        }
      }
      spark.stop();
    }

    private static void write(SparkSession spark, String table) {
      spark
          .range(0, ROWS, 1, 8)
          .selectExpr("id", "rand() as r", "cast(hash(id) as string) as s", "id % 100 as k")
          .write()
          .parquet(table);
    }

    private static void scan(SparkSession spark, String table) {
      String query = "select k, count(*), sum(id), max(r), min(s) from %s.`%s` group by k";
      Dataset<Row> ours = spark.sql(String.format(query, "mooring", table));
      ScanResults.assertSame(ours, spark.sql(String.format(query, "parquet", table)));
      ScanResults.assertReadByGpuIfThereIsOne(ours);
    }
  }
}
