package io.mooring.scan;

import io.mooring.parquet.ScanCounters;
import java.util.List;
import org.apache.spark.rdd.InputFileBlockHolder;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.jspecify.annotations.Nullable;

/** The rows of a task's splits, all read by Spark. Belongs to the thread of its task. */
final class RowReader implements PartitionReader<InternalRow> {
  private final ScanCounters counters = new ScanCounters();
  private final SplitRows read;
  private final RowOutput output;
  private @Nullable InternalRow row;

  RowReader(ScanReaderFactory factory, List<FileSplit> splits) {
    this.read = new SplitRows(factory.spark(), splits, counters);
    this.output = RowOutput.of(factory);
  }

  @Override
  public boolean next() {
    row = output.next(read);
    return row != null;
  }

  @Override
  public InternalRow get() {
    if (row == null) {
      throw new IllegalStateException("There is no row: next() has not returned true");
    }
    return row;
  }

  @Override
  public CustomTaskMetric[] currentMetricsValues() {
    return ScanMetrics.of(counters);
  }

  @Override
  public void close() {
    read.close();
    InputFileBlockHolder.unset();
  }
}
