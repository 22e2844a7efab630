package io.mooring.tables;

import io.mooring.testing.Sessions;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.apache.spark.sql.SparkSession;

/** Sessions in which Iceberg tables of a catalog in a folder go through Mooring. */
final class IcebergSessions {
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
    all.put("spark.mooring.sql.iceberg.enabled", "true");
    all.putIfAbsent("spark.sql.shuffle.partitions", "2");
    return Sessions.transparent(warehouse, all);
  }
}
