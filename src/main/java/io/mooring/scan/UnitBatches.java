package io.mooring.scan;

import ai.rapids.cudf.Table;
import io.mooring.columnar.WideningCasts;
import io.mooring.parquet.unit.ReadUnit;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** Makes the batches of a unit: of all its rows or, when some cannot be had, of none. */
record UnitBatches(UnitOutput output, ScanSteps.Decode step, ReadUnit unit) {
  /** A way to decode a unit, which gives its tables in order. */
  interface Decoding {
    void decode(ReadUnit unit, Consumer<Table> use) throws IOException, InterruptedException;
  }

  List<FileBatch> made(Decoding decoding) throws IOException, InterruptedException {
    List<FileBatch> batches = new ArrayList<>();
    LiveRows live = LiveRows.of(step.parts(), unit);
    AtomicLong rows = new AtomicLong();
    boolean all = false;
    try {
      decoding.decode(
          unit, table -> batches.addAll(ofTable(table, live, rows.getAndAdd(table.getRowCount()))));
      all = true;
    } finally {
      if (!all) {
        batches.forEach(made -> made.batch().close());
        output.drop();
      }
    }
    output.give(batches);
    output.done(step);
    return batches;
  }

  private List<FileBatch> ofTable(Table table, LiveRows live, long first) {
    return WideningCasts.use(
        table,
        step.parts().get(0).plan().columns().shapes(),
        wide -> live.use(DecodedUnit.of(step.parts(), unit, wide), first, output::ofDevice));
  }
}
