package io.mooring.parquet.read;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.Table;
import io.mooring.parquet.unit.ReadUnit;
import java.util.ArrayList;
import java.util.List;
import org.apache.parquet.column.Encoding;

/**
 * Purges non-empty nulls: libcudf's functions assume that null strings have length 0. In cudf
 * 26.08.1 the last null of a DELTA_BYTE_ARRAY page without values gets the length that the page
 * gives for its first value, where parquet-mr leaves that of an earlier page's value.
 */
public final class NonEmptyNulls {
  // cudf's Java API asserts that there are none where a table is made, before they can be purged.
  private static final String ASSERTION = "ai.rapids.cudf.AssertEmptyNulls";

  private NonEmptyNulls() {}

  /** Disables cudf's own assertion; to be called before the process makes its first column. */
  public static void disableAssertion() {
    Table.class.getClassLoader().setClassAssertionStatus(ASSERTION, false);
  }

  /** Whether nulls in the columns of a unit may be non-empty. */
  static boolean mayOccur(ReadUnit unit) {
    return unit.columnChunks()
        .anyMatch(chunk -> chunk.getEncodings().contains(Encoding.DELTA_BYTE_ARRAY));
  }

  /** The same values without non-empty nulls; closes {@code table}. */
  static Table purge(Table table) {
    List<ColumnVector> purged = new ArrayList<>();
    try (table) {
      ColumnVector[] columns = new ColumnVector[table.getNumberOfColumns()];
      for (int i = 0; i < columns.length; i++) {
        columns[i] = table.getColumn(i);
        if (columns[i].hasNonEmptyNulls()) {
          columns[i] = columns[i].purgeNonEmptyNulls();
          purged.add(columns[i]);
        }
      }
      return new Table(columns);
    } finally {
      purged.forEach(ColumnVector::close);
    }
  }
}
