package io.mooring.scan;

import io.mooring.parquet.ScanCounters;
import io.mooring.parquet.ScanCounters.Counter;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.spark.sql.catalyst.InternalRow;

/** The rows of one split after another, read by Spark. Belongs to the thread of its task. */
final class SplitRows implements Iterator<InternalRow> {
  private final SparkFileReader spark;
  private final Deque<FileSplit> splits;
  private final ScanCounters counters;
  private Iterator<Object> rows = Collections.emptyIterator();

  SplitRows(SparkFileReader spark, List<FileSplit> splits, ScanCounters counters) {
    this.spark = spark;
    this.splits = new ArrayDeque<>(splits);
    this.counters = counters;
  }

  @Override
  public boolean hasNext() {
    while (!rows.hasNext()) {
      if (splits.isEmpty()) {
        return false;
      }
      FileSplit split = splits.remove();
      FallbackLog.file(split.path(), "Spark has no batches for the columns of this query");
      counters.add(Counter.CPU_FILES, 1);
      rows = spark.read(split);
    }
    return true;
  }

  @Override
  public InternalRow next() {
    if (!hasNext()) {
      throw new NoSuchElementException("All splits have been read");
    }
    return (InternalRow) rows.next();
  }

  /** Closes the file being read; there are no more rows. */
  void close() {
    splits.clear();
    SparkFileReader.close(rows);
  }
}
