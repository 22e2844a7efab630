package io.mooring.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.conformance.ConformanceRound.TableFolders;
import io.mooring.stores.HdfsCluster;
import io.mooring.stores.S3Server;
import io.mooring.stores.TestStore;
import io.mooring.testing.Sessions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.fs.FileSystem;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random queries over random tables that lie in HDFS and in S3, as {@link ConformanceTest} has
 * them. {@code mooring.test.storeCases} sets how many queries each.
 */
@Tag("stores")
@Timeout(3600)
class StoreConformanceTest {
  private static final int CASES = Integer.getInteger("mooring.test.storeCases", 50);
  private static final long SEED = Long.getLong("mooring.test.seed", System.nanoTime());
  private static final int CASES_A_TABLE = 25;
  private static final int AT_ONCE = 2;
  private static final long LIMIT_SECONDS = 300;

  @TempDir Path folder;

  @Test
  void tablesInHdfs_randomQueries_answersAreSparks() throws Exception {
    try (HdfsCluster hdfs = new HdfsCluster(folder.resolve("hdfs"))) {
      assertAnswersAreSparks(hdfs);
    }
  }

  @Test
  void tablesInS3_randomQueries_answersAreSparks() throws Exception {
    try (S3Server s3 = new S3Server()) {
      assertAnswersAreSparks(s3);
    }
  }

  private void assertAnswersAreSparks(TestStore store) throws Exception {
    System.out.println("StoreConformanceTest seed " + SEED);
    Map<String, String> settings = new HashMap<>(ConformanceTest.SETTINGS);
    settings.putAll(store.sparkSettings());
    settings.put("spark.master", "local[" + AT_ONCE + "]");
    SparkSession spark = Sessions.transparent(folder.resolve("warehouse"), settings);
    spark.sparkContext().setLogLevel("OFF");
    try (ConformanceRun run =
        new ConformanceRun(
            spark, new TableFolders(folder, table -> moved(table, store)), AT_ONCE)) {
      run.submitAll(SEED, CASES, CASES_A_TABLE);
      run.await(LIMIT_SECONDS + CASES);
      System.out.println(run);
      assertThat(run.failures()).isEmpty();
      assertThat(run.failed()).isLessThan(CASES);
    } finally {
      spark.stop();
      FileSystem.closeAll();
    }
  }

  private static String moved(String table, TestStore store) {
    Path local = Path.of(table);
    try {
      return store.put(local, local.getFileName().toString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
