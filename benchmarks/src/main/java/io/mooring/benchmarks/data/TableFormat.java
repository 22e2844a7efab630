package io.mooring.benchmarks.data;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** What keeps the list of a table's files: the folder, or a library of a table format. */
public enum TableFormat {
  /** Parquet files in a folder. */
  PARQUET("parquet", "", Map.of()),
  /** A table of Delta Lake. */
  DELTA(
      "delta",
      "_delta_log",
      Map.of(
          "spark.sql.extensions",
          "io.delta.sql.DeltaSparkSessionExtension",
          "spark.sql.catalog.spark_catalog",
          "org.apache.spark.sql.delta.catalog.DeltaCatalog")),
  /** A table of Iceberg in a Hadoop catalog, whose folder is its address. */
  ICEBERG(
      "iceberg",
      "metadata",
      // The catalog in which Iceberg finds tables by their folders; its own default is Hive's.
      Map.of(
          "spark.sql.catalog.default_iceberg",
          "org.apache.iceberg.spark.SparkCatalog",
          "spark.sql.catalog.default_iceberg.type",
          "hadoop",
          "spark.sql.catalog.default_iceberg.warehouse",
          "file:///tmp"));

  private final String source;
  private final String log;
  private final Map<String, String> conf;

  TableFormat(String source, String log, Map<String, String> conf) {
    this.source = source;
    this.log = log;
    this.conf = conf;
  }

  /** The format of the table in a folder, told by the folder of its log. */
  static TableFormat of(Path folder) {
    if (Files.isDirectory(folder.resolve(DELTA.log))) {
      return DELTA;
    }
    boolean iceberg = Files.isRegularFile(folder.resolve(ICEBERG.log).resolve("version-hint.text"));
    return iceberg ? ICEBERG : PARQUET;
  }

  /** Spark's name of the data source that reads it. */
  public String source() {
    return source;
  }

  /** Settings without which Spark does not read it. */
  Map<String, String> conf() {
    return conf;
  }

  /** Whether a path inside of a table's folder is the table's log, or below it. */
  boolean isLog(Path inside) {
    return !log.isEmpty() && inside.startsWith(log);
  }
}
