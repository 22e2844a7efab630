package io.mooring.scan.fallback;

import io.mooring.parquet.unit.ScanCounters;
import io.mooring.scan.split.FileSplit;
import java.util.List;
import org.apache.spark.sql.connector.read.InputPartition;

/**
 * The splits that a stage leaves to Spark's operators in its task. It is never serialized.
 *
 * @param counters of the task, in which reading it is counted
 */
@SuppressWarnings("serial") // made and used in one task
public record FallbackPartition(List<FileSplit> splits, ScanCounters counters)
    implements InputPartition {
  public FallbackPartition {
    splits = List.copyOf(splits);
  }
}
