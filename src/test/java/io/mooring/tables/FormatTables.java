package io.mooring.tables;

import io.mooring.testing.Interpreted;
import io.mooring.testing.Plans;
import io.mooring.testing.Sessions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * The same tables in a database for each format, of which each is written by its own writer: a
 * query has one text for all of them.
 */
enum FormatTables {
  PARQUET("spark_catalog.plain", "parquet", ""),
  DELTA("spark_catalog.delta", "delta", "'delta.enableDeletionVectors' = 'false'"),
  DELTA_VECTORS("spark_catalog.vectors", "delta", "'delta.enableDeletionVectors' = 'true'"),
  ICEBERG("ice.copied", "iceberg", "'format-version' = '2', 'write.delete.mode' = 'copy-on-write'"),
  ICEBERG_DELETES(
      "ice.marked", "iceberg", "'format-version' = '2', 'write.delete.mode' = 'merge-on-read'");

  private final String database;
  private final String source;
  private final String properties;

  FormatTables(String database, String source, String properties) {
    this.database = database;
    this.source = source;
    this.properties = properties;
  }

  /**
   * Settings for figures: all cores, generated code, and Mooring's decisions as users have them.
   */
  static Map<String, String> settingsForFigures() {
    Map<String, String> settings = new HashMap<>(Interpreted.COMPILED);
    int cores = Runtime.getRuntime().availableProcessors();
    settings.put("spark.master", "local[" + cores + "]");
    settings.put("spark.sql.shuffle.partitions", Integer.toString(cores));
    for (String decision : List.of("replicatedJoins", "singleTaskAggregates", "stages")) {
      settings.put("spark.mooring.sql." + decision, "auto");
    }
    return settings;
  }

  /** A session with catalogs of all formats, in which aggregates and joins are Mooring's. */
  static SparkSession start(Path warehouse, Map<String, String> settings) {
    Map<String, String> all = new HashMap<>();
    all.put(
        "spark.sql.extensions",
        "io.delta.sql.DeltaSparkSessionExtension,"
            + "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions");
    all.put("spark.sql.catalog.spark_catalog", "org.apache.spark.sql.delta.catalog.DeltaCatalog");
    all.put("spark.databricks.delta.snapshotPartitions", "1");
    all.put("spark.sql.catalog.ice", "org.apache.iceberg.spark.SparkCatalog");
    all.put("spark.sql.catalog.ice.type", "hadoop");
    all.put("spark.sql.catalog.ice.warehouse", warehouse.resolve("ice").toUri().toString());
    all.put("spark.sql.shuffle.partitions", "2");
    // Spark does not know the size of tables whose partitions are in the catalog.
    all.put("spark.sql.hive.manageFilesourcePartitions", "false");
    all.put("spark.mooring.sql.replicatedJoins", "always");
    all.put("spark.mooring.sql.singleTaskAggregates", "always");
    all.putAll(settings);
    SparkSession spark = Sessions.transparent(warehouse, all);
    for (FormatTables format : values()) {
      spark.sql("create namespace if not exists " + format.database);
    }
    return spark;
  }

  /** Whether some rows of the tables are deleted by files of deletes. */
  boolean hasDeletes() {
    return this == DELTA_VECTORS || this == ICEBERG_DELETES;
  }

  /** Writes rows as a table. */
  void write(SparkSession spark, String table, Dataset<Row> rows, String... partitions) {
    String view = "rows_of_" + table;
    rows.createOrReplaceTempView(view);
    String columns = String.join(", ", partitions);
    String by = columns.isEmpty() ? "" : " partitioned by (" + columns + ")";
    String set = properties.isEmpty() ? "" : " tblproperties (" + properties + ")";
    spark.sql(
        "create table "
            + database
            + "."
            + table
            + " using "
            + source
            + by
            + set
            + " as select * from "
            + view);
    spark.catalog().dropTempView(view);
  }

  /** Lets columns of a table have other names than in its files. */
  void mapColumns(SparkSession spark, String table) {
    if (source.equals("delta")) {
      spark.sql(
          "alter table "
              + table
              + " set tblproperties ('delta.columnMapping.mode' = 'name',"
              + " 'delta.minReaderVersion' = '2', 'delta.minWriterVersion' = '5')");
    }
  }

  /** A query of the version that a table was created with. */
  String firstVersion(String table) {
    return source.equals("iceberg")
        ? "select min(snapshot_id) from " + database + "." + table + ".snapshots"
        : "select 0";
  }

  /** Does something while names of tables are those of this format. */
  <T> T use(SparkSession spark, Supplier<T> work) {
    spark.sql("use " + database);
    try {
      return work.get();
    } finally {
      spark.sql("use " + PARQUET.database);
    }
  }

  /**
   * The nodes of an executed plan, one a line, as far as they do not name their tables; stages with
   * their operators.
   */
  static List<String> shape(Dataset<Row> data) {
    List<String> lines = new ArrayList<>();
    Plans.nodes(data, node -> lines.add(name(node.simpleString(1000), node.nodeName())));
    return lines;
  }

  private static String name(String text, String name) {
    return name.startsWith("Mooring") && text.contains("]")
        ? text.substring(0, text.indexOf(']') + 1)
        : name.replaceAll("\\[file:.*/", "[");
  }
}
