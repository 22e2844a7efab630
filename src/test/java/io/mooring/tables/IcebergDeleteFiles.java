package io.mooring.tables;

import io.mooring.scan.library.Library;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.BiFunction;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;

/** Writes equality deletes of a table, as Flink does and Spark does not. */
final class IcebergDeleteFiles {
  private static final Library ICEBERG = new Library("Iceberg");
  private static final String PACKAGE = "org.apache.iceberg.";

  private final SparkSession spark;
  private final String name;
  private final Object table;

  private IcebergDeleteFiles(SparkSession spark, String name) {
    this.spark = spark;
    this.name = name;
    this.table = IcebergSessions.table(spark, name);
  }

  /**
   * Deletes the rows of a table that have some values in some columns.
   *
   * @param columns of the table, also of structs in it
   * @param rows values of the columns, in their order
   */
  static void add(
      SparkSession spark, String table, List<String> columns, List<? extends List<?>> rows) {
    add(spark, table, "", columns, rows);
  }

  /**
   * Deletes rows of one partition.
   *
   * @param partition as its folder would be called; empty for rows of every partition, which the
   *     table has to have been without at first
   */
  static void add(
      SparkSession spark,
      String table,
      String partition,
      List<String> columns,
      List<? extends List<?>> rows) {
    new IcebergDeleteFiles(spark, table).add(partition, columns, rows);
  }

  private void add(String partition, List<String> columns, List<? extends List<?>> rows) {
    Object schema = ICEBERG.call(table, "schema");
    List<Object> fields =
        columns.stream()
            .map(column -> ICEBERG.call(schema, "caseInsensitiveFindField", column))
            .toList();
    List<Object> ids = fields.stream().map(field -> ICEBERG.call(field, "fieldId")).toList();
    Object struct = ICEBERG.callStatic(PACKAGE + "types.Types$StructType", "of", fields);
    Object deleted = ICEBERG.call(struct, "asSchema");
    Object writer = writer(partition, ids, deleted);
    for (List<?> row : rows) {
      Object record = ICEBERG.callStatic(PACKAGE + "data.GenericRecord", "create", deleted);
      for (int i = 0; i < row.size(); i++) {
        ICEBERG.get(record, "setField", name(fields.get(i)), row.get(i));
      }
      ICEBERG.get(writer, "write", record);
    }
    ICEBERG.get(writer, "close");
    Object change = ICEBERG.call(table, "newRowDelta");
    ICEBERG.call(change, "addDeletes", ICEBERG.call(writer, "toDeleteFile"));
    ICEBERG.get(change, "commit");
    spark.sql("refresh table " + name);
  }

  private Object writer(String partition, List<Object> ids, Object deleted) {
    String path = ICEBERG.call(table, "location") + "/deletes/" + UUID.randomUUID() + ".parquet";
    Object file = ICEBERG.call(ICEBERG.call(table, "io"), "newOutputFile", path);
    Object builder = ICEBERG.callStatic(PACKAGE + "parquet.Parquet", "writeDeletes", file);
    BiFunction<Object, Object, Object> rows =
        (schema, type) ->
            ICEBERG.callStatic(
                PACKAGE + "data.parquet.GenericParquetWriter", "create", schema, type);
    ICEBERG.call(builder, "forTable", table);
    ICEBERG.call(builder, "rowSchema", deleted);
    ICEBERG.call(builder, "createWriterFunc", rows);
    ICEBERG.call(builder, "equalityFieldIds", ids);
    ICEBERG.call(builder, "withSpec", spec(partition));
    if (!partition.isEmpty()) {
      ICEBERG.call(builder, "withPartition", partition(partition));
    }
    return ICEBERG.call(builder, "buildEqualityWriter");
  }

  /** Deletes of a specification without partitions hold for all rows that were there before. */
  private Object spec(String partition) {
    Map<?, ?> all = (Map<?, ?>) ICEBERG.call(table, "specs");
    return partition.isEmpty()
        ? all.values().stream()
            .filter(it -> (boolean) ICEBERG.call(it, "isUnpartitioned"))
            .findFirst()
            .<Object>map(it -> it)
            .orElseThrow()
        : ICEBERG.call(table, "spec");
  }

  private @Nullable Object partition(String partition) {
    Object file = ICEBERG.callStatic(PACKAGE + "DataFiles", "builder", ICEBERG.call(table, "spec"));
    ICEBERG.call(file, "withPartitionPath", partition);
    ICEBERG.call(file, "withPath", "none.parquet");
    ICEBERG.call(file, "withFileSizeInBytes", 1L);
    ICEBERG.call(file, "withRecordCount", 1L);
    return ICEBERG.get(ICEBERG.call(file, "build"), "partition");
  }

  private static String name(Object field) {
    return (String) ICEBERG.call(field, "name");
  }
}
