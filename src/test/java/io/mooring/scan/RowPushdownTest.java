package io.mooring.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.testing.ScanResults;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;

/** The same on rows, where Spark has no batches. */
class RowPushdownTest extends PushdownTest {
  @Override
  Map<String, String> settings() {
    return Map.of("spark.sql.parquet.enableVectorizedReader", "false");
  }

  @Override
  @Test
  void theGpuDidIt() {
    Dataset<Row> rows =
        assertSame(
            "select a_byte, count(*), sum(an_int) from %s where a_short > 0 group by a_byte");
    assertThat(ScanResults.metric(rows, "gpuFiles")).isZero();
    assertThat(ScanResults.metric(rows, "cpuFiles")).isPositive();
  }
}
