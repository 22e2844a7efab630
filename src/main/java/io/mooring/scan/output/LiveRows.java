package io.mooring.scan.output;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.Scalar;
import ai.rapids.cudf.Table;
import io.mooring.scan.output.UnitOutput.DecodedUnit;
import io.mooring.scan.plan.DeletedRows;
import io.mooring.scan.plan.ScanUnit;
import io.mooring.scan.plan.ScanUnit.FileUnit;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * The rows of decoded units that are not deleted.
 *
 * @param deleted the ordinals of the others among the rows of the unit, ascending
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record LiveRows(int[] deleted) {

  /** The rows of a unit before anything of it is decoded. */
  public static LiveRows of(ScanUnit unit) {
    List<FileUnit> files = unit.files();
    if (files.stream().allMatch(file -> file.plan().deleted().isEmpty())) {
      return new LiveRows(new int[0]);
    }
    IntStream deleted = IntStream.empty();
    int row = 0;
    for (int i = 0; i < files.size(); i++) {
      for (int rowGroup : unit.rowGroupsOf(i)) {
        int first = row;
        int[] found = deletedIn(files.get(i), rowGroup);
        deleted = IntStream.concat(deleted, Arrays.stream(found).map(it -> first + it));
        row += rows(files.get(i), rowGroup);
      }
    }
    return new LiveRows(deleted.toArray());
  }

  private static int[] deletedIn(FileUnit file, int rowGroup) {
    long first = DeletedRows.firstRow(file.unit().footer().rowGroups(), rowGroup);
    return file.plan().deleted().in(first, first + rows(file, rowGroup));
  }

  private static int rows(FileUnit file, int rowGroup) {
    return (int) file.unit().footer().rowGroups().get(rowGroup).getRowCount();
  }

  /**
   * Gives the live rows of a decoded table to {@code use}, which must not keep it; a table without
   * any gives nothing.
   *
   * @param first the ordinal of the table's first row in the unit
   */
  public <T> List<T> use(DecodedUnit all, long first, Function<DecodedUnit, List<T>> use) {
    int count = (int) all.table().getRowCount();
    int[] gone = in(first, count);
    if (gone.length == 0) {
      return use.apply(all);
    } else if (gone.length == count) {
      return List.of();
    }
    try (ColumnVector mask = mask(gone, count);
        Table live = all.table().filter(mask)) {
      long[] rows = liveRows(all.rows(), gone);
      return use.apply(new DecodedUnit(all.plans(), rows, live, all.endTurn()));
    }
  }

  private int[] in(long first, int count) {
    return Arrays.stream(deleted)
        .filter(row -> row >= first && row < first + count)
        .map(row -> (int) (row - first))
        .toArray();
  }

  /** How many rows of each file are live, where files follow each other. */
  static long[] liveRows(long[] rows, int[] gone) {
    long[] live = new long[rows.length];
    long end = 0;
    int next = 0;
    for (int i = 0; i < rows.length; i++) {
      int before = next;
      end += rows[i];
      while (next < gone.length && gone[next] < end) {
        next++;
      }
      live[i] = rows[i] - (next - before);
    }
    return live;
  }

  private static ColumnVector mask(int[] gone, int count) {
    try (Scalar yes = Scalar.fromBool(true);
        Scalar no = Scalar.fromBool(false);
        ColumnVector live = ColumnVector.fromScalar(yes, count);
        ColumnVector ordinals = ColumnVector.fromInts(gone);
        Table target = new Table(live);
        Table mask = Table.scatter(new Scalar[] {no}, ordinals, target)) {
      return mask.getColumn(0).incRefCount();
    }
  }
}
