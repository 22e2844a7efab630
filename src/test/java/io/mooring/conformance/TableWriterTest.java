package io.mooring.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.testing.Sessions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A seed makes the same table, whatever other threads write at the same time. */
class TableWriterTest {
  private static final int TABLES = 5;
  private static final int THREADS = 3;
  private static final long SEED = Long.getLong("mooring.test.seed", System.nanoTime());

  @TempDir Path folder;

  @Test
  void aSeedRepeatsATable() throws Exception {
    System.out.println("TableWriterTest seed " + SEED);
    SparkSession spark = Sessions.withPlugin(THREADS, Map.of());
    try {
      assertThat(written(spark, THREADS)).isEqualTo(written(spark, 1)).isNotEmpty();
    } finally {
      spark.stop();
    }
  }

  /** What is in the files of some tables, in the order of their seeds. */
  private List<List<Long>> written(SparkSession spark, int threads) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      List<Future<List<Long>>> tables =
          LongStream.range(SEED, SEED + TABLES)
              .mapToObj(seed -> pool.submit(() -> table(spark, threads + "of" + seed, seed)))
              .toList();
      List<List<Long>> contents = new ArrayList<>();
      for (Future<List<Long>> table : tables) {
        contents.add(table.get());
      }
      return contents;
    } finally {
      pool.shutdownNow();
    }
  }

  private List<Long> table(SparkSession spark, String name, long seed) throws IOException {
    Path table = folder.resolve(name);
    Dice dice = new Dice(seed);
    SparkSession session = spark.newSession();
    new RandomSettings(dice).ofWriter().forEach((key, value) -> session.conf().set(key, value));
    new TableWriter(session, dice).write("t", table);
    List<Long> sums = new ArrayList<>();
    try (Stream<Path> files = Files.walk(table)) {
      for (Path file : files.filter(it -> it.toString().endsWith(".parquet")).toList()) {
        CRC32 sum = new CRC32();
        sum.update(Files.readAllBytes(file));
        sums.add(sum.getValue());
      }
    }
    sums.sort(null);
    return sums;
  }
}
