package io.mooring.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.conformance.ConformanceCase.Excuse;
import io.mooring.testing.ScanResults;
import io.mooring.testing.Sessions;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.parquet.hadoop.ParquetInputFormat;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * The fault of Spark's reader of batches for which {@link RandomSettings} switches Hadoop's
 * vectored reads off: of DELTA_BYTE_ARRAY in pages that are not compressed it takes the bytes from
 * the start of the array behind a buffer, also where the buffer is a slice that starts later.
 * Hadoop cuts such slices for Parquet where it reads ranges in one go: files with checksums, and
 * object stores.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SparksDeltaReaderTest {
  private static final String IN_BATCHES = "spark.sql.parquet.enableVectorizedReader";
  private static final String VECTORED_READS = "parquet.hadoop.vectored.io.enabled";
  private static final int ROWS = 300;
  private static final String[] COLUMNS = {"id", "sha2(string(id), 256) as value"};
  // Later Parquets than Spark 3.5's have such reads.
  private static final boolean HAS_VECTORED_READS =
      Arrays.stream(ParquetInputFormat.class.getFields())
          .anyMatch(field -> field.getName().equals("HADOOP_VECTORED_IO_ENABLED"));

  @TempDir static Path folder;
  private SparkSession spark;

  @BeforeAll
  void start() {
    spark = Sessions.withPlugin(1, Map.of());
    spark
        .range(0, ROWS, 1, 1)
        .selectExpr(COLUMNS)
        .write()
        .option("compression", "none")
        .option("parquet.writer.version", "v2")
        .option("parquet.enable.dictionary", "false")
        .parquet(path());
  }

  @AfterAll
  void stop() {
    spark.stop();
  }

  private static String path() {
    return folder.resolve("table").toString();
  }

  private List<String> read(boolean batches, boolean vectored) {
    spark.conf().set(IN_BATCHES, batches);
    spark.conf().set(VECTORED_READS, vectored);
    return ScanResults.rows(spark.read().parquet(path()));
  }

  @Test
  void valuesAreStillGarbled() {
    List<String> written = ScanResults.rows(spark.range(ROWS).selectExpr(COLUMNS));
    assertThat(read(false, true)).isEqualTo(written);
    assertThat(read(true, false)).isEqualTo(written);
    List<String> read = read(true, true);
    if (HAS_VECTORED_READS) {
      assertThat(read)
          .as("this Spark reads what it wrote: RandomSettings can leave vectored reads on")
          .hasSize(ROWS)
          .doesNotContainAnyElementsOf(written);
    } else {
      assertThat(read).isEqualTo(written);
    }
  }

  /** The reader of rows is believed where Spark's own two differ. */
  @Test
  void suchACaseIsNoFaultOfMoorings() {
    ConformanceCase inRows = compared(false, true);
    assertThat(inRows.excuse() == Excuse.READERS_DIFFER).isEqualTo(HAS_VECTORED_READS);
    assertThat(answersDiffer(inRows)).isFalse();
  }

  /** What the reader of rows does not give is a fault. */
  @Test
  void theSameInMooringIsAFault() {
    ConformanceCase inBatches = compared(true, false);
    assertThat(inBatches.excuse()).isEqualTo(Excuse.NONE);
    assertThat(answersDiffer(inBatches)).isEqualTo(HAS_VECTORED_READS);
  }

  private static boolean answersDiffer(ConformanceCase result) {
    return result.problems().stream().anyMatch(problem -> problem.startsWith("the answers differ"));
  }

  /** With readers of Spark in both places. */
  private ConformanceCase compared(boolean oursInBatches, boolean sparksInBatches) {
    SparkSession ours = spark.newSession();
    SparkSession sparks = spark.newSession();
    for (SparkSession session : List.of(ours, sparks)) {
      session.conf().set(VECTORED_READS, true);
      session.read().parquet(path()).createOrReplaceTempView("t");
    }
    ours.conf().set(IN_BATCHES, oursInBatches);
    sparks.conf().set(IN_BATCHES, sparksInBatches);
    Statement statement = new Statement("select max(value) from t", false, true);
    return ConformanceCase.run(ours, sparks, statement, asIfByMooring -> true);
  }
}
