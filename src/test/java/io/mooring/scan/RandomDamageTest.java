package io.mooring.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.testing.FileDamage;
import io.mooring.testing.LeanHadoop;
import io.mooring.testing.RequiresGpu;
import io.mooring.testing.ScanResults;
import io.mooring.testing.Sessions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Randomly damaged files: the rows, or the kind of error, that Spark's own reader gives. {@code
 * mooring.test.damages} sets how many, {@code mooring.test.seed} repeats a run.
 */
@Tag("forked")
class RandomDamageTest {
  private static final int DAMAGES = Integer.getInteger("mooring.test.damages", 200);
  private static final long SEED = Long.getLong("mooring.test.seed", System.nanoTime());
  private static final int ROWS = 500;
  private static final long LIMIT_SECONDS = 30;
  private static final String NO_END = "no end";
  // Spark's own reader can loop for ever, and the thread that it does so on is lost.
  private static final int MOST_LOST = 2;
  private static final String SCHEMA = "id bigint, v double, k int, text string";

  @TempDir Path folder;

  @Test
  void damagedFilesAreReadOrRefusedAsSparkDoes() throws IOException {
    System.out.println("RandomDamageTest seed " + SEED);
    Map<String, String> settings =
        Map.of(
            "spark.mooring.pinnedPool.size",
            "64m",
            // To compile a query takes longer than to read one of these files.
            "spark.sql.codegen.wholeStage",
            "false",
            "spark.sql.codegen.factoryMode",
            "NO_CODEGEN",
            // Errors that Spark's reader meets in damaged files must not end this process.
            "spark.executor.killOnFatalError.depth",
            "0");
    SparkSession spark = Sessions.withPlugin(2 + MOST_LOST, settings);
    try {
      LeanHadoop.forgetDefaults(spark, folder.resolve("first"));
      List<byte[]> files = goodFiles(spark);
      spark.sparkContext().setLogLevel("OFF");
      int done = 0;
      int refused = 0;
      for (int lost = 0; done < DAMAGES && lost <= MOST_LOST; done++) {
        String sparks = assertSame(spark, files, SEED + done);
        refused += sparks.startsWith("[") ? 0 : 1;
        lost += sparks.equals(NO_END) ? 1 : 0;
      }
      System.out.println(done + " damaged files, " + refused + " refused");
      assertThat(done == DAMAGES ? refused : DAMAGES / 2).isBetween(DAMAGES / 10, DAMAGES * 9 / 10);
    } finally {
      spark.stop();
    }
  }

  private List<byte[]> goodFiles(SparkSession spark) throws IOException {
    List<byte[]> files = new ArrayList<>();
    for (String codec : List.of("none", "snappy", "zstd")) {
      Path table = folder.resolve("good-" + codec);
      spark
          .range(0, ROWS, 1, 1)
          .selectExpr(
              "id",
              "if(id % 7 = 0, null, id / 4.0D) as v",
              "cast(id % 5 as int) as k",
              "if(id % 11 = 0, null, cast(hash(id) as string)) as text")
          .write()
          .option("compression", codec)
          .option("parquet.block.size", 4 << 10)
          .parquet(table.toString());
      files.add(Files.readAllBytes(ScanResults.firstParquetFile(table)));
    }
    return files;
  }

  /** What becomes of the file in Spark, and so in Mooring unless Spark's reader never ends. */
  private String assertSame(SparkSession spark, List<byte[]> files, long seed) throws IOException {
    Random random = new Random(seed);
    byte[] damaged = FileDamage.of(files.get(random.nextInt(files.size())), random);
    Path table = Files.createDirectory(folder.resolve("damaged" + seed));
    Path file = Files.write(table.resolve("part-0.parquet"), damaged);
    String sparks = outcome(spark, "parquet", table);
    if (!sparks.equals(NO_END)) {
      String ours = outcome(spark, "mooring", table);
      boolean refused = !sparks.startsWith("[");
      // The GPU has no use for all that a page's header says, and reads on where Spark refuses.
      boolean mayRead = refused && ours.startsWith("[") && RequiresGpu.Condition.gpuIsThere();
      assertThat(mayRead ? sparks : ours).as("damage of seed " + seed).isEqualTo(sparks);
    }
    Files.delete(file);
    return sparks;
  }

  private static String outcome(SparkSession spark, String format, Path table) {
    CompletableFuture<String> result =
        CompletableFuture.supplyAsync(
            () ->
                ScanResults.rows(spark.read().schema(SCHEMA).format(format).load(table.toString()))
                    .toString());
    try {
      return result.get(LIMIT_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      return root(e).getClass().getName();
    } catch (TimeoutException e) {
      spark.sparkContext().cancelAllJobs();
      return NO_END;
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Throwable root(Throwable e) {
    return e.getCause() == null ? e : root(e.getCause());
  }
}
