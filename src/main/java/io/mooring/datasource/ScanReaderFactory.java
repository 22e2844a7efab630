package io.mooring.datasource;

import io.mooring.gpu.GpuRuntime;
import io.mooring.parquet.unit.ScanCounters;
import io.mooring.scan.fallback.FallbackPartition;
import io.mooring.scan.fallback.SparkFileReader;
import io.mooring.scan.plan.ScanContext;
import io.mooring.scan.split.FileSplit;
import io.mooring.scan.split.ScanPartition;
import io.mooring.scan.task.ScanWork;
import io.mooring.scan.task.TaskPlanner;
import io.mooring.scan.task.UnitCoalescer;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * Makes the readers of a scan's tasks; travels to executors.
 *
 * @param spark what reads the files that the GPU does not read
 * @param columnar whether the readers return batches
 */
public record ScanReaderFactory(ScanContext context, SparkFileReader spark, boolean columnar)
    implements PartitionReaderFactory {
  /** The same readers over a scan that is {@linkplain ScanContext#prunedBy pruned} further. */
  public ScanReaderFactory prunedBy(List<Predicate> predicates) {
    return new ScanReaderFactory(context.prunedBy(predicates), spark, columnar);
  }

  @Override
  public boolean supportColumnarReads(InputPartition partition) {
    return columnar;
  }

  @Override
  public PartitionReader<ColumnarBatch> createColumnarReader(InputPartition partition) {
    if (partition instanceof FallbackPartition fallback) {
      // The stage that falls back reports what is counted.
      return reader(fallback.splits(), fallback.counters(), false);
    }
    return reader(((ScanPartition) partition).splits(), new ScanCounters(), true);
  }

  private BatchReader reader(List<FileSplit> splits, ScanCounters counters, boolean reports) {
    GpuRuntime gpu = context.gpu();
    List<ScanWork> work =
        new TaskPlanner(context, gpu, counters).plan(splits, new UnitCoalescer(context));
    return new BatchReader(context, spark, work, ScanContext.ofTask(gpu), counters, reports);
  }

  /** Rows only where Spark has no batches for the schema: then Spark reads everything. */
  @Override
  public PartitionReader<InternalRow> createReader(InputPartition partition) {
    return new RowReader(spark, ((ScanPartition) partition).splits());
  }
}
