package io.mooring.scan.output;

import io.mooring.columnar.RowMappedColumnVector;
import io.mooring.pushdown.Column;
import io.mooring.pushdown.Constant;
import io.mooring.scan.output.UnitOutput.FileBatch;
import io.mooring.scan.plan.ConstantColumns;
import io.mooring.scan.plan.FilePlan;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.execution.vectorized.ColumnVectorUtils;
import org.apache.spark.sql.execution.vectorized.ConstantColumnVector;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.jspecify.annotations.Nullable;

/** Puts decoded columns, nulls for missing ones, and partition values together. */
record ColumnarBatchBuilder(ConstantColumns constants, StructType output) {

  /** The ordinals of the output's columns among a file's decoded columns, in order. */
  IntStream ordinals(FilePlan plan) {
    return Arrays.stream(output.fields())
        .filter(field -> constant(plan, field) == null)
        .mapToInt(field -> decodedAt(plan, field));
  }

  private int decodedAt(FilePlan plan, StructField field) {
    return plan.columns().decodedAt()[constants.scan().data().fieldIndex(field.name())];
  }

  private @Nullable Constant constant(FilePlan plan, StructField field) {
    return constants.of(plan, new Column(field.name(), field.dataType()));
  }

  /**
   * A batch that owns the decoded columns; they are closed when it cannot be made.
   *
   * @param decoded as many as there are {@link #ordinals}
   */
  ColumnarBatch batch(FilePlan plan, List<ColumnVector> decoded, int rows) {
    try {
      Iterator<ColumnVector> next = decoded.iterator();
      ColumnVector[] columns = new ColumnVector[output.length()];
      for (int i = 0; i < columns.length; i++) {
        StructField field = output.fields()[i];
        Constant constant = constant(plan, field);
        columns[i] = constant == null ? next.next() : repeated(constant, rows);
      }
      return new ColumnarBatch(columns, rows);
    } catch (RuntimeException e) {
      decoded.forEach(ColumnVector::close);
      throw e;
    }
  }

  /**
   * A batch for each file that has rows, in order; closing all of them closes the columns, and so
   * does a failure.
   *
   * @param rows of each file, which come one behind the other
   */
  List<FileBatch> batches(List<FilePlan> plans, long[] rows, List<ColumnVector> decoded) {
    if (plans.size() == 1) {
      ColumnarBatch batch = batch(plans.get(0), decoded, (int) rows[0]);
      return List.of(new FileBatch(plans.get(0).split(), batch));
    }
    try {
      return slices(plans, rows, decoded);
    } catch (RuntimeException e) {
      decoded.forEach(ColumnVector::close);
      throw e;
    }
  }

  private List<FileBatch> slices(List<FilePlan> plans, long[] rows, List<ColumnVector> decoded) {
    int all = (int) Arrays.stream(rows).sum();
    List<FileBatch> batches = new ArrayList<>();
    int first = 0;
    for (int i = 0; i < rows.length; i++) {
      int from = first;
      int count = (int) rows[i];
      first += count;
      if (count > 0) {
        boolean last = first == all;
        List<ColumnVector> columns = new ArrayList<>();
        decoded.forEach(it -> columns.add(RowMappedColumnVector.slice(it, from, count, last)));
        batches.add(new FileBatch(plans.get(i).split(), batch(plans.get(i), columns, count)));
      }
    }
    if (all == 0) {
      decoded.forEach(ColumnVector::close);
    }
    return batches;
  }

  private static ConstantColumnVector repeated(Constant constant, int rows) {
    ConstantColumnVector column = new ConstantColumnVector(rows, constant.type());
    if (constant.value() == null) {
      column.setNull();
    } else if (constant.type() instanceof StructType struct) {
      InternalRow fields = (InternalRow) constant.value();
      for (int i = 0; i < struct.length(); i++) {
        DataType type = struct.fields()[i].dataType();
        Object value = fields.isNullAt(i) ? null : fields.get(i, type);
        column.setChild(i, repeated(new Constant(value, type), rows));
      }
    } else {
      Object[] row = {Objects.requireNonNull(constant.value())};
      ColumnVectorUtils.populate(column, new GenericInternalRow(row), 0);
    }
    return column;
  }
}
