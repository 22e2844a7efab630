package io.mooring.tables;

import io.mooring.catalyst.ScalaLists;
import io.mooring.scan.library.Library;
import io.mooring.testing.Sessions;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructField;

/** Sessions in which tables of Delta Lake go through Mooring, with or without a GPU. */
final class DeltaSessions {
  private static final Library DELTA = new Library("Delta Lake");

  private DeltaSessions() {}

  static SparkSession start(Path warehouse, Map<String, String> settings) {
    Map<String, String> all = new HashMap<>(settings);
    all.put("spark.sql.extensions", "io.delta.sql.DeltaSparkSessionExtension");
    all.put("spark.sql.catalog.spark_catalog", "org.apache.spark.sql.delta.catalog.DeltaCatalog");
    // Small tables: as few tasks as do.
    all.put("spark.databricks.delta.snapshotPartitions", "1");
    all.putIfAbsent("spark.sql.shuffle.partitions", "2");
    return Sessions.transparent(warehouse, all);
  }

  /** Creates a table with an id, and columns that Delta Lake computes of it when it writes rows. */
  static void createGenerated(SparkSession spark, String table) {
    Object builder = DELTA.callStatic("io.delta.tables.DeltaTable", "create", spark);
    builder = DELTA.call(builder, "tableName", table);
    builder = DELTA.call(builder, "addColumn", "id", "bigint");
    builder = DELTA.call(builder, "addColumn", generated("thousandth", "double", "id / 1000D"));
    builder = DELTA.call(builder, "addColumn", generated("k", "bigint", "id % 7"));
    DELTA.call(DELTA.call(builder, "partitionedBy", ScalaLists.seq(List.of("k"))), "execute");
  }

  /** A column GENERATED ALWAYS AS an expression, which SQL has no words for before Spark 4. */
  private static StructField generated(String name, String type, String expression) {
    Object column = DELTA.callStatic("io.delta.tables.DeltaTable", "columnBuilder", name);
    column = DELTA.call(column, "dataType", type);
    return (StructField) DELTA.call(DELTA.call(column, "generatedAlwaysAs", expression), "build");
  }
}
