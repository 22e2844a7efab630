package io.mooring.datasource;

import io.mooring.parquet.unit.ScanCounters;
import io.mooring.parquet.unit.ScanCounters.Counter;
import io.mooring.scan.fallback.FallbackLog;
import io.mooring.scan.fallback.SparkFileReader;
import io.mooring.scan.split.FileSplit;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.rdd.InputFileBlockHolder;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.jspecify.annotations.Nullable;

/** The rows of a task's splits, all read by Spark. Belongs to the thread of its task. */
final class RowReader implements PartitionReader<InternalRow> {
  private final SparkFileReader spark;
  private final Deque<FileSplit> splits;
  private final ScanCounters counters = new ScanCounters();
  private Iterator<Object> rows = Collections.emptyIterator();
  private @Nullable InternalRow row;

  RowReader(SparkFileReader spark, List<FileSplit> splits) {
    this.spark = spark;
    this.splits = new ArrayDeque<>(splits);
  }

  @Override
  public boolean next() {
    while (!rows.hasNext()) {
      if (splits.isEmpty()) {
        return false;
      }
      FileSplit split = splits.remove();
      FallbackLog.file(split.path(), "Spark has no batches for the columns of this query");
      counters.add(Counter.CPU_FILES, 1);
      rows = spark.read(split);
    }
    row = (InternalRow) rows.next();
    return true;
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
    TaskReaders.close(splits.isEmpty() && !rows.hasNext(), this::closeNow);
  }

  private void closeNow() {
    splits.clear();
    SparkFileReader.close(rows);
    InputFileBlockHolder.unset();
  }
}
