package io.mooring.scan.iceberg;

import static io.mooring.scan.iceberg.IcebergScan.LIBRARY;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.stream.LongStream;
import org.apache.spark.rdd.InputFileBlockHolder;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * Finds the deleted rows of a data file. Used on executors.
 *
 * @param reader of the file's scan
 */
record IcebergDeletes(IcebergReader reader, IcebergTask task) {
  private static final StructType MARKS =
      new StructType()
          .add("_pos", DataTypes.LongType, false)
          .add("_deleted", DataTypes.BooleanType, false);

  /** The rows that position deletes and deletion vectors name. */
  long[] byPlace() {
    Function<Object, Object> open =
        delete -> {
          IcebergFile file = new IcebergFile(delete);
          return LIBRARY.call(reader.io(), "newInputFile", file.location(), file.length());
        };
    Object loader = LIBRARY.create("org.apache.iceberg.data.BaseDeleteLoader", open);
    Object index = LIBRARY.call(loader, "loadPositionDeletes", task.rawDeletes(), task.location());
    LongStream.Builder rows = LongStream.builder();
    LIBRARY.get(index, "forEach", (LongConsumer) rows::add);
    return rows.build().sorted().toArray();
  }

  /**
   * The rows of a range that deletes of any kind name. Iceberg's reader marks them: it compares the
   * columns that it needs for it, as it does in a query of its own.
   *
   * @throws UnsupportedOperationException when what Iceberg compares depends on the query
   */
  long[] byValue(long start, long length) {
    checkColumns();
    String path = InputFileBlockHolder.getInputFilePath().toString();
    long from = InputFileBlockHolder.getStartOffset();
    long bytes = InputFileBlockHolder.getLength();
    try {
      return marked(start, length);
    } finally {
      // Iceberg's reader has set the current input file and cleared it: restores the task's own.
      if (!path.isEmpty()) {
        InputFileBlockHolder.set(path, from, bytes);
      }
    }
  }

  /** Iceberg takes a field of a struct for a column, unless the query asks for the struct. */
  private void checkColumns() {
    Object schema = LIBRARY.call(reader.icebergTable(), "schema");
    Object columns = LIBRARY.call(schema, "asStruct");
    for (IcebergFile file : task.deletes()) {
      for (Object id : file.deletesByValue() ? file.equalityColumns() : List.of()) {
        if (LIBRARY.get(schema, "findField", id) != null
            && LIBRARY.get(columns, "field", id) == null) {
          throw new UnsupportedOperationException("Rows are deleted by values within a struct");
        }
      }
    }
  }

  private long[] marked(long start, long length) {
    LongStream.Builder rows = LongStream.builder();
    // With conditions, Iceberg's reader could leave out a deleted row that the query reads.
    IcebergTask all = task.withoutConditions();
    try (var batches = reader.read(all, start, length, marks(), MARKS)) {
      while (batches.hasNext()) {
        ColumnarBatch batch = batches.next();
        for (int row = 0; row < batch.numRows(); row++) {
          if (batch.column(1).getBoolean(row)) {
            rows.add(batch.column(0).getLong(row));
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return rows.build().sorted().toArray();
  }

  private String marks() {
    List<Object> fields = List.of(metadata("_pos"), metadata("_deleted"));
    Object struct = LIBRARY.callStatic("org.apache.iceberg.types.Types$StructType", "of", fields);
    Object schema = LIBRARY.call(struct, "asSchema");
    return (String) LIBRARY.callStatic("org.apache.iceberg.SchemaParser", "toJson", schema);
  }

  private Object metadata(String column) {
    return LIBRARY.callStatic(
        "org.apache.iceberg.MetadataColumns", "metadataColumn", reader.icebergTable(), column);
  }
}
