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

  ColumnarBatch batch(FilePlan plan, List<ColumnVector> decoded, int rows) {
    int width = dataColumns.length() + partitionColumns.length();
    ColumnVector[] columns = new ColumnVector[width];
    for (int i = 0; i < dataColumns.length(); i++) {
      int at = plan.decodedAt()[i];
      columns[i] = at < 0 ? nulls(rows, dataColumns.fields()[i].dataType()) : decoded.get(at);
    }
    for (int i = 0; i < partitionColumns.length(); i++) {
      ConstantColumnVector constant =
          new ConstantColumnVector(rows, partitionColumns.fields()[i].dataType());
      ColumnVectorUtils.populate(constant, plan.split().partitionValues(), i);
      columns[dataColumns.length() + i] = constant;
    }
    return new ColumnarBatch(columns, rows);
  }

  private static ColumnVector nulls(int rows, DataType type) {
    ConstantColumnVector constant = new ConstantColumnVector(rows, type);
    constant.setNull();
    return constant;
  }
}
