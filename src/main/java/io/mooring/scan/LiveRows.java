package io.mooring.scan;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.Scalar;
import ai.rapids.cudf.Table;
import io.mooring.parquet.unit.ReadUnit;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * The rows of decoded units that are not deleted.
 *
 * @param deleted the others by their places among the rows of the unit, ascending
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record LiveRows(int[] deleted) {

  /** Of a unit with some or all row groups of its files. */
  static LiveRows of(List<UnitPart> parts, ReadUnit unit) {
    if (parts.stream().allMatch(part -> part.plan().deleted().isEmpty())) {
      return new LiveRows(new int[0]);
    }
    IntStream deleted = IntStream.empty();
    int row = 0;
    int before = 0;
    for (UnitPart part : parts) {
      int[] own = part.unit().rowGroups();
      for (int i = 0; i < own.length; i++) {
        // The row groups of a lone file keep its numbers, those of several are counted through.
        int index = parts.size() == 1 ? own[i] : before + i;
        if (Arrays.stream(unit.rowGroups()).anyMatch(it -> it == index)) {
          int first = row;
          int[] found = deletedIn(part, own[i]);
          deleted = IntStream.concat(deleted, Arrays.stream(found).map(it -> first + it));
          row += rows(part, own[i]);
        }
      }
      before += own.length;
    }
    return new LiveRows(deleted.toArray());
  }

  private static int[] deletedIn(UnitPart part, int rowGroup) {
    long first = DeletedRows.firstRow(part.unit().footer().rowGroups(), rowGroup);
    return part.plan().deleted().in(first, first + rows(part, rowGroup));
  }

  private static int rows(UnitPart part, int rowGroup) {
    return (int) part.unit().footer().rowGroups().get(rowGroup).getRowCount();
  }

  /**
   * Gives what is left of a decoded table to {@code use}, which must not keep it; nothing comes of
   * a table of which nothing is left.
   *
   * @param first the place of the table's first row in the unit
   */
  <T> List<T> use(DecodedUnit all, long first, Function<DecodedUnit, List<T>> use) {
    int count = (int) all.table().getRowCount();
    int[] gone = in(first, count);
    if (gone.length == 0) {
      return use.apply(all);
    } else if (gone.length == count) {
      return List.of();
    }
    try (ColumnVector mask = mask(gone, count);
        Table left = all.table().filter(mask)) {
      return use.apply(new DecodedUnit(all.plans(), rowsLeft(all.rows(), gone), left));
    }
  }

  private int[] in(long first, int count) {
    return Arrays.stream(deleted)
        .filter(row -> row >= first && row < first + count)
        .map(row -> (int) (row - first))
        .toArray();
  }

  /** How many rows of each file are left, which come one behind the other. */
  static long[] rowsLeft(long[] rows, int[] gone) {
    long[] left = new long[rows.length];
    long end = 0;
    int next = 0;
    for (int i = 0; i < rows.length; i++) {
      int before = next;
      end += rows[i];
      while (next < gone.length && gone[next] < end) {
        next++;
      }
      left[i] = rows[i] - (next - before);
    }
    return left;
  }

  private static ColumnVector mask(int[] gone, int count) {
    try (Scalar yes = Scalar.fromBool(true);
        Scalar no = Scalar.fromBool(false);
        ColumnVector kept = ColumnVector.fromScalar(yes, count);
        ColumnVector places = ColumnVector.fromInts(gone);
        Table target = new Table(kept);
        Table mask = Table.scatter(new Scalar[] {no}, places, target)) {
      return mask.getColumn(0).incRefCount();
    }
  }
}
