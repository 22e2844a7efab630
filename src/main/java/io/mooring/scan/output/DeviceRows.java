package io.mooring.scan.output;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.Table;
import io.mooring.columnar.ColumnShape;
import io.mooring.parquet.unit.ScanCounters;
import io.mooring.scan.output.UnitOutput.FileBatch;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.types.DataTypes;

/**
 * Filters decoded units and downloads what passes. Apart from the output that uses it, because that
 * one is also made where there is no cudf.
 */
public record DeviceRows(DeviceFilter filter, ColumnarBatchBuilder assembly, ScanCounters counters) {
  /** The batches of a decoded unit, one for each file with rows that pass. */
  List<FileBatch> passing(DecodedUnit unit) {
    if (unit.plans().size() == 1) {
      return filter.apply(unit.plan(), unit.table(), kept -> ofOneFile(unit, kept));
    }
    try (Table numbered = RowNumbers.appended(unit.table())) {
      return filter.apply(unit.plan(), numbered, kept -> ofFiles(unit, kept));
    }
  }

  private List<FileBatch> ofOneFile(DecodedUnit unit, Table kept) {
    long[] rows = {kept.getRowCount()};
    List<Integer> places = assembly.places(unit.plan()).boxed().toList();
    if (rows[0] == 0) {
      return List.of();
    }
    return assembly.batches(unit.plans(), rows, download(unit, kept, places));
  }

  private List<FileBatch> ofFiles(DecodedUnit unit, Table kept) {
    int rows = (int) kept.getRowCount();
    if (rows == 0) {
      return List.of();
    }
    List<Integer> places = new ArrayList<>(assembly.places(unit.plan()).boxed().toList());
    places.add(kept.getNumberOfColumns() - 1);
    List<org.apache.spark.sql.vectorized.ColumnVector> columns = download(unit, kept, places);
    try (var numbers = columns.remove(columns.size() - 1)) {
      return assembly.batches(
          unit.plans(), RowNumbers.perFile(numbers, rows, unit.rows()), columns);
    }
  }

  private List<org.apache.spark.sql.vectorized.ColumnVector> download(
      DecodedUnit unit, Table kept, List<Integer> places) {
    if (places.isEmpty()) {
      return List.of();
    }
    List<ColumnShape> decoded = unit.plan().columns().shapes();
    ColumnShape numbers = ColumnShape.flat(DataTypes.IntegerType);
    List<ColumnShape> shapes =
        places.stream().map(at -> at < decoded.size() ? decoded.get(at) : numbers).toList();
    try (Table wanted =
        new Table(places.stream().map(kept::getColumn).toArray(ColumnVector[]::new))) {
      return Downloads.counted(wanted, shapes, counters).columns();
    }
  }
}
