package io.mooring.stage.device;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.DType;
import ai.rapids.cudf.Scalar;
import ai.rapids.cudf.Table;
import io.mooring.columnar.CudfTypes;
import io.mooring.expr.device.DeviceBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.apache.spark.sql.types.DataType;

/** Conversions between device columns, tables and batches. The caller closes the results. */
public final class DeviceBatches {
  private DeviceBatches() {}

  /** A column for each element; closes all when one fails. */
  static <T> List<ColumnVector> of(List<T> elements, Function<T, ColumnVector> column) {
    List<ColumnVector> columns = new ArrayList<>();
    boolean all = false;
    try {
      elements.forEach(element -> columns.add(column.apply(element)));
      all = true;
      return columns;
    } finally {
      if (!all) {
        columns.forEach(ColumnVector::close);
      }
    }
  }

  /**
   * The columns of a batch as a table. cudf has no table without columns: such a batch gets one of
   * zeros.
   */
  public static Table table(DeviceBatch batch) {
    if (batch.width() == 0) {
      try (ColumnVector zeros = zeros(batch.rows())) {
        return new Table(zeros);
      }
    }
    return new Table(
        IntStream.range(0, batch.width()).mapToObj(batch::column).toArray(ColumnVector[]::new));
  }

  /** The first columns of a table as a batch. */
  public static DeviceBatch batch(Table table, int width) {
    List<ColumnVector> columns =
        IntStream.range(0, width).mapToObj(i -> table.getColumn(i).incRefCount()).toList();
    return new DeviceBatch(columns, table.getRowCount());
  }

  /** Some columns of a batch. */
  static DeviceBatch selected(DeviceBatch batch, List<Integer> ordinals) {
    return new DeviceBatch(
        ordinals.stream().map(i -> batch.column(i).incRefCount()).toList(), batch.rows());
  }

  /** The first columns of a batch. */
  static DeviceBatch first(DeviceBatch batch, int count) {
    return selected(batch, IntStream.range(0, count).boxed().toList());
  }

  /** The rows of a batch for which a mask is true. */
  static DeviceBatch filtered(DeviceBatch batch, ColumnVector mask) {
    try (Table all = table(batch);
        Table selected = all.filter(mask)) {
      return batch(selected, batch.width());
    }
  }

  /** The rows of several batches, which stay the caller's, as one batch. */
  static DeviceBatch concatenated(List<DeviceBatch> batches, List<DataType> types) {
    if (batches.isEmpty()) {
      return new DeviceBatch(of(types, type -> nulls(CudfTypes.of(type), 0)), 0);
    } else if (batches.size() == 1) {
      DeviceBatch only = batches.get(0);
      return first(only, only.width());
    }
    List<Table> tables = new ArrayList<>();
    try {
      batches.forEach(batch -> tables.add(table(batch)));
      try (Table all = Table.concatenate(tables.toArray(Table[]::new))) {
        return batch(all, types.size());
      }
    } finally {
      tables.forEach(Table::close);
    }
  }

  /** The columns of two batches of as many rows, beside each other. */
  static DeviceBatch beside(DeviceBatch left, DeviceBatch right) {
    List<ColumnVector> columns = new ArrayList<>();
    for (DeviceBatch batch : List.of(left, right)) {
      for (int i = 0; i < batch.width(); i++) {
        columns.add(batch.column(i).incRefCount());
      }
    }
    return new DeviceBatch(columns, left.rows());
  }

  /** A column of nothing but nulls. */
  static ColumnVector nulls(DType type, long rows) {
    try (Scalar none = Scalar.fromNull(type)) {
      return ColumnVector.fromScalar(none, (int) rows);
    }
  }

  /** A column of zeros. */
  static ColumnVector zeros(long rows) {
    try (Scalar zero = Scalar.fromByte((byte) 0)) {
      return ColumnVector.fromScalar(zero, (int) rows);
    }
  }
}
