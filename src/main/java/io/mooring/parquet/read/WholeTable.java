package io.mooring.parquet.read;

import ai.rapids.cudf.Table;
import io.mooring.parquet.unit.ReadUnit;
import org.jspecify.annotations.Nullable;

/**
 * All rows of a unit in one table, decoded by libcudf's {@link ai.rapids.cudf.HybridScanReader},
 * which does no I/O of its own.
 */
final class WholeTable implements DecodedTables {
  private final UnitUpload upload;
  private boolean decoded;

  WholeTable(UnitUpload upload) {
    this.upload = upload;
  }

  @Override
  public @Nullable Table next() {
    if (decoded) {
      return null;
    }
    decoded = true;
    ReadUnit unit = upload.unit();
    try (HybridScan scan = HybridScan.of(upload)) {
      Table table = scan.reader().materializeAllColumns(unit.rowGroups(), scan.columnChunks());
      return NonEmptyNulls.mayOccur(unit) ? NonEmptyNulls.purge(table) : table;
    }
  }

  @Override
  public void close() {}
}
