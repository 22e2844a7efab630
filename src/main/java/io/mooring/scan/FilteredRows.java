package io.mooring.scan;

import io.mooring.pushdown.Expr;
import io.mooring.pushdown.Pushdown;
import io.mooring.pushdown.RowColumns;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Objects;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.ProjectingInternalRow;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;
import scala.collection.immutable.ArraySeq;

/** Rows that pass a filter leave, with the columns that are wanted behind it. */
final class FilteredRows implements RowOutput {
  private final Expr filter;
  private final RowColumns columns;
  private final ProjectingInternalRow wanted;

  FilteredRows(Pushdown pushdown, StructType read) {
    int[] wantedAt =
        Arrays.stream(pushdown.output().fieldNames()).mapToInt(read::fieldIndex).toArray();
    this.filter = Objects.requireNonNull(pushdown.filter());
    this.columns = new RowColumns(read);
    this.wanted =
        new ProjectingInternalRow(pushdown.output(), ArraySeq.<Object>unsafeWrapArray(wantedAt));
  }

  @Override
  public @Nullable InternalRow next(Iterator<InternalRow> read) {
    while (read.hasNext()) {
      InternalRow row = read.next();
      if (Boolean.TRUE.equals(filter.onRow(columns.of(row)))) {
        wanted.project(row);
        return wanted;
      }
    }
    return null;
  }
}
