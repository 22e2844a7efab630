package io.mooring.tables;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.scan.iceberg.IcebergScan;
import io.mooring.scan.library.Library;
import io.mooring.testing.Plans;
import io.mooring.testing.Sessions;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.datasources.v2.BatchScanExec;
import org.jspecify.annotations.Nullable;

/** Sessions in which Iceberg tables of a catalog in a folder go through Mooring. */
final class IcebergSessions {
  private static final Library ICEBERG = new Library("Iceberg");

  private IcebergSessions() {}

  static SparkSession start(Path warehouse, Map<String, String> settings) {
    Map<String, String> all = new HashMap<>(settings);
    all.put(
        "spark.sql.extensions",
        "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions");
    all.put("spark.sql.catalog.ice", "org.apache.iceberg.spark.SparkCatalog");
    all.put("spark.sql.catalog.ice.type", "hadoop");
    all.put("spark.sql.catalog.ice.warehouse", warehouse.toUri().toString());
    all.put("spark.sql.defaultCatalog", "ice");
    all.putIfAbsent("spark.sql.shuffle.partitions", "2");
    return Sessions.transparent(warehouse, all);
  }

  /** No table was scanned by Iceberg's own scan; what its metadata answer needs none. */
  static void assertNoneIsIcebergs(Dataset<Row> data) {
    assertThat(
            Plans.nodes(
                data, it -> it instanceof BatchScanExec scan && IcebergScan.is(scan.scan())))
        .isEmpty();
  }

  /** Adds a column whose value in rows before is a default, which Spark's SQL has no words for. */
  static void addColumnWithDefault(
      SparkSession spark, String table, @Nullable String parent, String column, int value) {
    Object loaded = table(spark, table);
    Object type = ICEBERG.callStatic("org.apache.iceberg.types.Types$IntegerType", "get");
    Object literal = ICEBERG.callStatic("org.apache.iceberg.expressions.Expressions", "lit", value);
    Object update = ICEBERG.call(loaded, "updateSchema");
    Object added = ICEBERG.call(update, "addColumn", parent, column, type, null, literal);
    ICEBERG.get(added, "commit");
    spark.sql("refresh table " + table);
  }

  /** Adds a column of UUIDs, which Spark's SQL has no words for. */
  static void addUuids(SparkSession spark, String table, String column) {
    Object type = ICEBERG.callStatic("org.apache.iceberg.types.Types$UUIDType", "get");
    Object update = ICEBERG.call(table(spark, table), "updateSchema");
    ICEBERG.get(ICEBERG.call(update, "addColumn", column, type), "commit");
    spark.sql("refresh table " + table);
  }

  /**
   * Adds a data file to an unpartitioned table that nobody has written.
   *
   * @param key of its encryption; null where it is not encrypted
   */
  static void addFile(SparkSession spark, String table, String path, byte @Nullable [] key) {
    Object loaded = table(spark, table);
    Object file =
        ICEBERG.callStatic("org.apache.iceberg.DataFiles", "builder", ICEBERG.call(loaded, "spec"));
    ICEBERG.call(file, "withPath", path);
    ICEBERG.call(file, "withFileSizeInBytes", 1000L);
    ICEBERG.call(file, "withRecordCount", 10L);
    ICEBERG.call(file, "withFormat", "parquet");
    if (key != null) {
      ICEBERG.call(file, "withEncryptionKeyMetadata", ByteBuffer.wrap(key));
    }
    Object append = ICEBERG.call(loaded, "newAppend");
    ICEBERG.get(ICEBERG.call(append, "appendFile", ICEBERG.call(file, "build")), "commit");
    spark.sql("refresh table " + table);
  }

  /** Iceberg's table. */
  static Object table(SparkSession spark, String name) {
    return ICEBERG.callStatic(
        "org.apache.iceberg.spark.Spark3Util", "loadIcebergTable", spark, name);
  }
}
