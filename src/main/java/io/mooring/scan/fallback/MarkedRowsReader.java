package io.mooring.scan.fallback;

import io.mooring.columnar.RowMappedColumnVector;
import io.mooring.scan.delta.DeltaFormat;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.datasources.HadoopFsRelation;
import org.apache.spark.sql.execution.datasources.PartitionedFile;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import scala.Function1;
import scala.collection.Iterator;

/**
 * Delta Lake's reader of files with deleted rows: made on the driver, used on executors. It marks
 * deleted rows in its batches; {@link #read} drops these rows and the marks.
 *
 * @param marksAt the ordinal of the first mark column, behind the data columns of the scan
 * @param marks the number of mark columns
 */
record MarkedRowsReader(
    Function1<PartitionedFile, Iterator<InternalRow>> reader, int marksAt, int marks)
    implements Serializable {

  static MarkedRowsReader create(SparkReaderBuilder builder) {
    HadoopFsRelation relation = builder.relation();
    String path = relation.location().rootPaths().head().toString();
    StructType marked = DeltaFormat.withMarks(builder.columns().data());
    var reader =
        builder.build(
            DeltaFormat.of(relation.fileFormat()).marking(path),
            DeltaFormat.withMarks(relation.dataSchema()),
            marked);
    int data = builder.columns().data().length();
    return new MarkedRowsReader(reader, data, marked.length() - data);
  }

  /** Batches of a file; closing the iterator closes the file. */
  Iterator<ColumnarBatch> read(PartitionedFile file) {
    return new MappedBatches(reader.apply(file), this::unmarked);
  }

  private ColumnarBatch unmarked(ColumnarBatch batch) {
    ColumnVector isDeleted = batch.column(marksAt + marks - 1);
    int[] live =
        IntStream.range(0, batch.numRows()).filter(i -> isDeleted.getByte(i) == 0).toArray();
    List<ColumnVector> columns = new ArrayList<>();
    for (int i = 0; i < batch.numCols(); i++) {
      if (i < marksAt || i >= marksAt + marks) {
        columns.add(RowMappedColumnVector.select(batch.column(i), live));
      }
    }
    return new ColumnarBatch(columns.toArray(ColumnVector[]::new), live.length);
  }
}
