package io.mooring.scan;

import io.mooring.parquet.unit.ScanCounters;
import java.util.List;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.jspecify.annotations.Nullable;

/** Rows leave as they are read. */
final class PlainOutput implements BatchOutput {
  private final BatchAssembly assembly;
  private final ScanCounters counters;

  PlainOutput(ScanReaderFactory factory, ScanCounters counters) {
    this.assembly = new BatchAssembly(factory.constants(), factory.readColumns());
    this.counters = counters;
  }

  @Override
  public List<FileBatch> ofDevice(DecodedUnit unit) {
    var result = Downloads.counted(unit.table(), unit.plan().columns().shapes(), counters);
    return assembly.batches(unit.plans(), unit.rows(), result.columns());
  }

  @Override
  public ColumnarBatch ofCount(FilePlan plan, int rows) {
    return assembly.batch(plan, List.of(), rows);
  }

  @Override
  public ColumnarBatch ofSpark(ColumnarBatch read) {
    return read;
  }

  @Override
  public @Nullable ColumnarBatch atEnd() {
    return null;
  }
}
