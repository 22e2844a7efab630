package io.mooring.scan;

import java.util.List;
import org.apache.spark.sql.execution.vectorized.ColumnVectorUtils;
import org.apache.spark.sql.execution.vectorized.ConstantColumnVector;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/** Puts decoded columns, nulls for missing ones, and partition values together. */
record BatchAssembly(StructType dataColumns, StructType partitionColumns) {

  /** A batch that owns the decoded columns; they are closed when it cannot be made. */
  ColumnarBatch batch(FilePlan plan, List<ColumnVector> decoded, int rows) {
    try {
      return new ColumnarBatch(columns(plan, decoded, rows), rows);
    } catch (RuntimeException e) {
      decoded.forEach(ColumnVector::close);
      throw e;
    }
  }

  private ColumnVector[] columns(FilePlan plan, List<ColumnVector> decoded, int rows) {
    ColumnVector[] columns = new ColumnVector[dataColumns.length() + partitionColumns.length()];
    for (int i = 0; i < dataColumns.length(); i++) {
      int at = plan.columns().decodedAt()[i];
      columns[i] = at < 0 ? nulls(rows, dataColumns.fields()[i].dataType()) : decoded.get(at);
    }
    for (int i = 0; i < partitionColumns.length(); i++) {
      ConstantColumnVector constant =
          new ConstantColumnVector(rows, partitionColumns.fields()[i].dataType());
      ColumnVectorUtils.populate(constant, plan.split().partitionValues(), i);
      columns[dataColumns.length() + i] = constant;
    }
    return columns;
  }

  private static ColumnVector nulls(int rows, DataType type) {
    ConstantColumnVector constant = new ConstantColumnVector(rows, type);
    constant.setNull();
    return constant;
  }
}
