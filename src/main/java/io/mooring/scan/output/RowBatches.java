package io.mooring.scan.output;

import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.RowToColumnConverter;
import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/** Rows as a batch on the Java heap. */
final class RowBatches {
  private RowBatches() {}

  static ColumnarBatch of(List<InternalRow> rows, StructType schema) {
    OnHeapColumnVector[] columns = OnHeapColumnVector.allocateColumns(rows.size(), schema);
    RowToColumnConverter converter = new RowToColumnConverter(schema);
    rows.forEach(row -> converter.convert(row, columns));
    return new ColumnarBatch(columns, rows.size());
  }
}
