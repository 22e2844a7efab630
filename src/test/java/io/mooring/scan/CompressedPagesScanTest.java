package io.mooring.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.metrics.FileFallbacks;
import io.mooring.parquet.files.CompressedForms;
import io.mooring.parquet.files.CompressedPages;
import io.mooring.testing.RequiresGpu;
import io.mooring.testing.ScanResults;
import io.mooring.testing.Sessions;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Pages in every way that a codec's format allows are read as Spark reads them. */
@Tag("extended")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CompressedPagesScanTest {
  private static final int PAGES = 4;
  private static final int ROWS = 20_000;

  /** What Spark's reader refuses. */
  private static final Set<CompressedForms> REFUSED =
      EnumSet.of(
          CompressedForms.SNAPPY_BLOCKS,
          CompressedForms.LZ4_BLOCKS,
          CompressedForms.LZ4_EMPTY_FIRST,
          CompressedForms.LZ4_EMPTY_LAST,
          CompressedForms.LZ4_FRAMED,
          CompressedForms.HADOOP_LZ4_WITHOUT_FRAME);

  @TempDir static Path folder;
  private SparkSession spark;

  @BeforeAll
  void start() {
    spark =
        Sessions.withPlugin(
            2,
            Map.of(
                "spark.mooring.pinnedPool.size", "64m",
                "spark.mooring.sql.pushdown", "always"));
  }

  @AfterAll
  void stop() {
    spark.stop();
  }

  @ParameterizedTest
  @EnumSource(CompressedForms.class)
  void theyAreReadAsSparkReadsThem(CompressedForms form) throws Exception {
    Path path = folder.resolve(form + ".parquet");
    CompressedPages.write(path, form.codec(), PAGES, ROWS, form::of);
    FileFallbacks.take();
    for (String query :
        List.of("select * from %s", "select sum(v), max(v) from %s where v % 3 = 1")) {
      String sparks = outcome(spark.sql(query.replace("%s", "parquet.`" + path + "`")));
      assertThat(sparks.startsWith("failed")).as(sparks).isEqualTo(REFUSED.contains(form));
      Dataset<Row> ours = spark.sql(query.replace("%s", "mooring.`" + path + "`"));
      assertThat(outcome(ours)).isEqualTo(sparks);
      if (!sparks.startsWith("failed") && RequiresGpu.Condition.gpuIsThere()) {
        assertThat(ScanResults.metric(ours, "gpuFiles") > 0)
            .as("%s, by Spark: %s", form, FileFallbacks.take())
            .isEqualTo(form.isPlain());
      }
    }
  }

  private static String outcome(Dataset<Row> data) {
    try {
      return ScanResults.rows(data).toString();
    } catch (Exception e) {
      Throwable cause = e;
      while (cause.getCause() != null) {
        cause = cause.getCause();
      }
      return "failed by " + cause.getClass();
    }
  }
}
