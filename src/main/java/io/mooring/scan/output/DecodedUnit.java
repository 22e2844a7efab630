package io.mooring.scan.output;

import ai.rapids.cudf.Table;
import io.mooring.scan.plan.FilePlan;
import io.mooring.scan.plan.FileUnit;
import io.mooring.scan.plan.ScanUnit;
import java.util.Arrays;
import java.util.List;

/**
 * A unit, or a chunk of one, on the device: the rows of its files one behind the other.
 *
 * @param plans of its files
 * @param rows how many are of each
 * @param table belongs to the caller, who closes it
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record DecodedUnit(List<FilePlan> plans, long[] rows, Table table) {
  public static DecodedUnit of(ScanUnit unit, Table table) {
    long[] rows = unit.unit().rowsOfFiles();
    // A chunk is of one file, and has some of its rows.
    Arrays.setAll(rows, i -> Math.min(rows[i], table.getRowCount()));
    return new DecodedUnit(unit.files().stream().map(FileUnit::plan).toList(), rows, table);
  }

  /** Stands for all where what is asked of it is the same in every file. */
  public FilePlan plan() {
    return plans.get(0);
  }
}
