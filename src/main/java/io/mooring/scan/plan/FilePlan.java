package io.mooring.scan.plan;

import io.mooring.parquet.unit.ReadUnit;
import io.mooring.scan.schema.FileColumns;
import io.mooring.scan.split.FileSplit;
import java.util.List;
import java.util.stream.IntStream;

/**
 * How the GPU reads one split of a file.
 *
 * @param units what is read, in order; empty when no column of the file is wanted
 * @param rows rows of the split that are read
 * @param columns what is decoded
 * @param pruned row groups of the split that are pruned
 * @param prunedRows rows of these
 * @param deleted rows of the file that are decoded and dropped
 */
public record FilePlan(
    FileSplit split,
    List<ReadUnit> units,
    long rows,
    FileColumns columns,
    int pruned,
    long prunedRows,
    DeletedRows deleted) {

  /** Whether nothing of the file is read but its footer. */
  public boolean readsNothing() {
    return units.stream().allMatch(unit -> unit.rows() == 0);
  }

  /** The row groups of all units that are read, by their numbers in the file; ascending. */
  List<Integer> rowGroups() {
    return units.stream()
        .filter(unit -> unit.rows() > 0)
        .flatMap(unit -> IntStream.of(unit.rowGroups()).boxed())
        .toList();
  }
}
