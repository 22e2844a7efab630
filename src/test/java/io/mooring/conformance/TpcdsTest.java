package io.mooring.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.testing.Sessions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * The 99 queries of TPC-DS with Mooring and without. {@code mooring.test.tpcds} names a folder that
 * {@code src/test/tpcds/generate.py} has filled; the table of results is left in {@code
 * target/tpcds.md}.
 */
@EnabledIfSystemProperty(named = "mooring.test.tpcds", matches = ".+")
class TpcdsTest {
  private static final Path DATA = Path.of(System.getProperty("mooring.test.tpcds", "."));
  private static final Path REPORT =
      Path.of(System.getProperty("mooring.basedir", "."), "target", "tpcds.md");

  @TempDir Path folder;

  @Test
  void everyQueryGivesWhatSparkGives() throws IOException {
    SparkSession spark =
        Sessions.transparent(
            folder.resolve("warehouse"),
            Map.of(
                "spark.master",
                "local[*]",
                "spark.mooring.pinnedPool.size",
                "256m",
                "spark.sql.ansi.enabled",
                "false"));
    spark.sparkContext().setLogLevel("ERROR");
    List<TpcdsResult> results = new ArrayList<>();
    try {
      for (Path table : list(DATA, ".parquet")) {
        spark.read().parquet(table.toString()).createOrReplaceTempView(table(table));
      }
      for (Path query : list(DATA.resolve("queries"), ".sql")) {
        results.add(TpcdsResult.of(spark, query));
        System.out.println(results.get(results.size() - 1).row());
        Files.write(REPORT, results.stream().map(TpcdsResult::row).toList());
      }
    } finally {
      spark.stop();
    }
    assertThat(results).hasSize(99).allSatisfy(TpcdsResult::check);
  }

  static String table(Path files) {
    return files.getFileName().toString().replace(".parquet", "");
  }

  static List<Path> list(Path folder, String ending) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(ending)).sorted().toList();
    }
  }
}
