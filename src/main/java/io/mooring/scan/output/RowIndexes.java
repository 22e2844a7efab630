package io.mooring.scan.output;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.Scalar;
import ai.rapids.cudf.Table;
import io.mooring.scan.plan.DeletedRows;
import io.mooring.scan.plan.ScanUnit;
import io.mooring.scan.plan.ScanUnit.FileUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.jspecify.annotations.Nullable;

/**
 * The indexes that the rows of a unit have in their files, as a column on the device. A decoder
 * returns all rows of a row group in their order, also those of pages that are skipped and those
 * that are deleted, so that the place of a row among the decoded tells its index.
 *
 * @param spans of the unit's rows, in order; none where indexes are not wanted
 */
public record RowIndexes(List<Span> spans) {
  /**
   * Rows whose indexes follow each other.
   *
   * @param first the index of the first of them
   */
  public record Span(long first, long rows) {}

  /** The indexes of a unit's rows before anything of it is decoded. */
  public static RowIndexes of(ScanUnit unit) {
    List<Span> spans = new ArrayList<>();
    List<FileUnit> files = unit.files();
    if (unit.plan().columns().hasRowIndexes()) {
      for (int i = 0; i < files.size(); i++) {
        List<BlockMetaData> all = files.get(i).unit().footer().rowGroups();
        for (int rowGroup : unit.rowGroupsOf(i)) {
          add(spans, DeletedRows.firstRow(all, rowGroup), all.get(rowGroup).getRowCount());
        }
      }
    }
    return new RowIndexes(spans);
  }

  private static void add(List<Span> spans, long first, long rows) {
    Span last = spans.isEmpty() ? null : spans.get(spans.size() - 1);
    if (last != null && last.first() + last.rows() == first) {
      spans.set(spans.size() - 1, new Span(last.first(), last.rows() + rows));
    } else {
      spans.add(new Span(first, rows));
    }
  }

  /**
   * Appends the indexes to a decoded table as its last column and gives the table to {@code use};
   * without wanted indexes, gives the table itself. {@code use} must not keep the table.
   *
   * @param first the ordinal of the table's first row in the unit
   * @throws IllegalStateException when the unit has fewer rows
   */
  public <R extends @Nullable Object> R use(Table table, long first, Function<Table, R> use) {
    if (spans.isEmpty()) {
      return use.apply(table);
    }
    ColumnVector[] columns = new ColumnVector[table.getNumberOfColumns() + 1];
    for (int i = 0; i < columns.length - 1; i++) {
      columns[i] = table.getColumn(i);
    }
    try (ColumnVector indexes = column(first, table.getRowCount())) {
      columns[columns.length - 1] = indexes;
      try (Table indexed = new Table(columns)) {
        return use.apply(indexed);
      }
    }
  }

  /**
   * Checks that a unit was decoded as a whole.
   *
   * @param rows that were decoded
   * @throws IllegalStateException when the unit has more or fewer of them
   */
  public void checkAll(long rows) {
    if (!spans.isEmpty() && spans.stream().mapToLong(Span::rows).sum() != rows) {
      throw new IllegalStateException("the rows that were decoded have other indexes");
    }
  }

  /** The indexes of some rows, which the caller closes. */
  private static ColumnVector sequence(Span span) {
    try (Scalar first = Scalar.fromLong(span.first())) {
      return ColumnVector.sequence(first, Math.toIntExact(span.rows()));
    }
  }

  private ColumnVector column(long first, long rows) {
    if (rows == 0) {
      return ColumnVector.fromLongs();
    }
    List<ColumnVector> parts = new ArrayList<>();
    try {
      for (Span span : in(first, rows)) {
        parts.add(sequence(span));
      }
      return parts.size() == 1
          ? parts.get(0).incRefCount()
          : ColumnVector.concatenate(parts.toArray(ColumnVector[]::new));
    } finally {
      parts.forEach(ColumnVector::close);
    }
  }

  /**
   * The spans of some consecutive rows.
   *
   * @param from the ordinal of the first of them in the unit
   */
  List<Span> in(long from, long rows) {
    List<Span> found = new ArrayList<>();
    long before = 0;
    for (Span span : spans) {
      long skipped = Math.max(0, from - before);
      long left = Math.min(before + span.rows(), from + rows) - before - skipped;
      if (left > 0) {
        found.add(new Span(span.first() + skipped, left));
      }
      before += span.rows();
    }
    if (before < from + rows) {
      throw new IllegalStateException("the rows that were decoded have no indexes");
    }
    return found;
  }
}
