package io.mooring.tables;

import io.mooring.testing.Sessions;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.apache.spark.sql.SparkSession;

/** Sessions in which tables of Delta Lake go through Mooring, with or without a GPU. */
final class DeltaSessions {
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
}
