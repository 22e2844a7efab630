package io.mooring.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.metrics.FileFallbacks;
import io.mooring.stage.MooringStageExec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanExec;
import org.apache.spark.sql.execution.adaptive.QueryStageExec;
import org.apache.spark.sql.execution.datasources.v2.BatchScanExec;
import org.jspecify.annotations.Nullable;
import scala.jdk.javaapi.CollectionConverters;

/** What a query over our table gave, and who read it. */
public final class ScanResults {
  private ScanResults() {}

  /** Schema and every value are equal; the order of rows does not matter. */
  public static void assertSame(Dataset<Row> ours, Dataset<Row> sparks) {
    assertThat(ours.schema()).isEqualTo(sparks.schema());
    assertThat(rows(ours)).isEqualTo(rows(sparks));
  }

  /** The rows as text, sorted; see {@link #text}. */
  public static List<String> rows(Dataset<Row> data) {
    List<String> rows = new ArrayList<>();
    for (Row row : data.collectAsList()) {
      rows.add(text(row));
    }
    rows.sort(null);
    return rows;
  }

  /** A value as text: floats by their bits, so that -0.0 and NaN count, maps in any order. */
  public static String text(@Nullable Object value) {
    if (value instanceof Double d) {
      return "d" + Double.doubleToLongBits(d);
    } else if (value instanceof Float f) {
      return "f" + Float.floatToIntBits(f);
    } else if (value instanceof byte[] bytes) {
      return Arrays.toString(bytes);
    } else if (value instanceof Row row) {
      return text(row);
    } else if (value instanceof scala.collection.Seq<?> elements) {
      return CollectionConverters.asJava(elements).stream().map(ScanResults::text).toList() + "*";
    } else if (value instanceof scala.collection.Map<?, ?> map) {
      TreeMap<String, String> entries = new TreeMap<>();
      CollectionConverters.asJava(map).forEach((key, of) -> entries.put(text(key), text(of)));
      return entries.toString();
    }
    return String.valueOf(value);
  }

  /** Without a stream: tests compare hundreds of thousands of rows. */
  private static String text(Row row) {
    StringBuilder text = new StringBuilder("[");
    for (int i = 0; i < row.length(); i++) {
      text.append(i == 0 ? "" : ", ").append(text(row.get(i)));
    }
    return text.append(']').toString();
  }

  /** On a machine with a GPU at least one file was decoded there; on others none was. */
  public static void assertReadByGpuIfThereIsOne(Dataset<Row> ours) {
    if (RequiresGpu.Condition.gpuIsThere()) {
      assertThat(metric(ours, "gpuFiles"))
          .as(() -> "not on the GPU: " + FileFallbacks.take())
          .isPositive();
    } else {
      assertThat(metric(ours, "gpuFiles")).isZero();
    }
  }

  /**
   * Asserts that a GPU, where there is one, decoded at least one file, and Spark's reader none.
   * Without a GPU, asserts that no file was decoded on one.
   */
  public static void assertReadByGpuAlone(Dataset<Row> ours) {
    assertReadByGpuIfThereIsOne(ours);
    assertThat(RequiresGpu.Condition.gpuIsThere() && metric(ours, "cpuFiles") > 0)
        .as(() -> "by Spark's reader: " + FileFallbacks.take())
        .isFalse();
  }

  /** File splits that the executed query read, by whomever. */
  public static long filesRead(Dataset<Row> data) {
    return metric(data, "gpuFiles") + metric(data, "cpuFiles");
  }

  /** A metric of the scan nodes of an executed query, summed. */
  public static long metric(Dataset<Row> data, String name) {
    return scans(data.queryExecution().executedPlan()).stream()
        .mapToLong(scan -> scan.metrics().apply(name).value())
        .sum();
  }

  private static List<BatchScanExec> scans(SparkPlan plan) {
    if (plan instanceof AdaptiveSparkPlanExec adaptive) {
      return scans(adaptive.executedPlan());
    } else if (plan instanceof QueryStageExec stage) {
      return scans(stage.plan());
    }
    List<BatchScanExec> found = new ArrayList<>();
    if (plan instanceof MooringStageExec stage) {
      found.addAll(scans(stage.replaced()));
    }
    if (plan instanceof BatchScanExec scan) {
      found.add(scan);
    }
    CollectionConverters.asJava(plan.children()).forEach(child -> found.addAll(scans(child)));
    return found;
  }

  /** Some data file of a written table. */
  public static Path firstParquetFile(Path table) throws IOException {
    try (Stream<Path> files = Files.list(table)) {
      return files
          .filter(file -> file.toString().endsWith(".parquet"))
          .sorted()
          .findFirst()
          .orElseThrow();
    }
  }
}
