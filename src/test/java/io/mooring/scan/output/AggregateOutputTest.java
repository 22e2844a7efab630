package io.mooring.scan.output;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.datasource.PlannedScan;
import io.mooring.scan.output.UnitOutput.FileBatch;
import io.mooring.scan.plan.ScanContext;
import io.mooring.scan.split.FileSplit;
import io.mooring.testing.Sessions;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The row that an aggregate without keys has even of nothing; needs no GPU. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AggregateOutputTest {
  @TempDir static Path folder;
  private SparkSession spark;
  private ScanContext scan;
  private FileSplit split;

  @BeforeAll
  void start() throws Exception {
    spark =
        Sessions.withPlugin(
            1,
            Map.of("spark.mooring.pinnedPool.size", "0", "spark.mooring.sql.pushdown", "always"));
    String path = folder.resolve("table").toString();
    spark.range(0, 10, 1, 1).write().parquet(path);
    Dataset<Row> query = spark.sql("select max(id), sum(id) from mooring.`" + path + "`");
    scan = PlannedScan.context(query);
    split = PlannedScan.splits(query).get(0);
  }

  @AfterAll
  void stop() {
    spark.stop();
  }

  private AggregateOutput output() {
    return new AggregateOutput(scan);
  }

  private FileBatch batch() {
    return new FileBatch(split, new ColumnarBatch(new ColumnVector[0], 1));
  }

  @Test
  void aUnitThatHasNotLeftDoesNotStandForIt() {
    AggregateOutput output = output();
    output.give(List.of());
    try (ColumnarBatch nothing = output.atEnd()) {
      assertThat(nothing).isNotNull();
      assertThat(nothing.numRows()).isEqualTo(1);
    }
    assertThat(output.atEnd()).isNull();
  }

  @Test
  void aUnitThatHasLeftDoes() {
    AggregateOutput output = output();
    output.give(List.of(batch()));
    output.give(List.of());
    assertThat(output.atEnd()).isNull();
  }
}
