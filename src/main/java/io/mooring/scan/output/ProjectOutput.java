package io.mooring.scan.output;

import io.mooring.parquet.unit.ScanCounters;
import io.mooring.scan.output.UnitOutput.DecodedUnit;
import io.mooring.scan.output.UnitOutput.FileBatch;
import io.mooring.scan.plan.FilePlan;
import io.mooring.scan.plan.ScanContext;
import java.util.List;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.jspecify.annotations.Nullable;

/** Rows leave as they are read. */
public final class ProjectOutput implements ScanOutput {
  private final ColumnarBatchBuilder builder;
  private final ScanCounters counters;

  public ProjectOutput(ScanContext context, ScanCounters counters) {
    this.builder = new ColumnarBatchBuilder(context.constants(), context.columns().all());
    this.counters = counters;
  }

  @Override
  public List<FileBatch> ofDevice(DecodedUnit unit) {
    unit.endTurn().run();
    var result = UnitOutput.download(unit.table(), unit.plan().columns().shapes(), counters);
    return builder.batches(unit.plans(), unit.rows(), result.columns());
  }

  @Override
  public ColumnarBatch ofCount(FilePlan plan, int rows) {
    return builder.batch(plan, List.of(), rows);
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
