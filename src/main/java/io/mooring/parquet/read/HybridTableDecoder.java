package io.mooring.parquet.read;

import ai.rapids.cudf.HybridScanReader;
import ai.rapids.cudf.Table;
import io.mooring.parquet.unit.ReadUnit;

/**
 * Decodes with libcudf's {@link HybridScanReader}, which does no I/O of its own. A reader serves
 * one call: in cudf 26.08.1 the second on the same reader writes through a null pointer.
 */
final class HybridTableDecoder implements TableDecoder {
  static {
    NonEmptyNulls.assertNothing();
  }

  @Override
  public Table decode(UnitUpload upload) {
    ReadUnit unit = upload.unit();
    try (HybridScan source = HybridScan.of(upload)) {
      Table table = source.reader().materializeAllColumns(unit.rowGroups(), source.chunks());
      return NonEmptyNulls.areInDoubt(unit) ? NonEmptyNulls.of(table) : table;
    }
  }
}
