package io.mooring.parquet.read;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.Table;
import io.mooring.parquet.unit.ReadUnit;
import java.util.ArrayList;
import java.util.List;
import org.apache.parquet.column.Encoding;

/**
 * Takes bytes from nulls, which libcudf's functions rely on to have none. In cudf 26.08.1 the last
 * null of a DELTA_BYTE_ARRAY page that has nothing but nulls gets as many as the page's header says
 * the first value has, where parquet-mr leaves the length of a value of an earlier page.
 */
final class NonEmptyNulls {
  // cudf Java's own look for such bytes fails where the table is made, before it can be mended.
  private static final String ASSERTION = "ai.rapids.cudf.AssertEmptyNulls";

  private NonEmptyNulls() {}

  /** Before the first column of this process is made, where assertions are on. */
  static void assertNothing() {
    Table.class.getClassLoader().setClassAssertionStatus(ASSERTION, false);
  }

  /** Whether nulls in the columns of a unit may have bytes. */
  static boolean areInDoubt(ReadUnit unit) {
    return unit.columnChunks()
        .anyMatch(chunk -> chunk.getEncodings().contains(Encoding.DELTA_BYTE_ARRAY));
  }

  /** The same values, without such bytes. Takes {@code table} over. */
  static Table of(Table table) {
    List<ColumnVector> mended = new ArrayList<>();
    try (table) {
      ColumnVector[] columns = new ColumnVector[table.getNumberOfColumns()];
      for (int i = 0; i < columns.length; i++) {
        columns[i] = table.getColumn(i);
        if (columns[i].hasNonEmptyNulls()) {
          columns[i] = columns[i].purgeNonEmptyNulls();
          mended.add(columns[i]);
        }
      }
      return new Table(columns);
    } finally {
      mended.forEach(ColumnVector::close);
    }
  }
}
