package io.mooring.stage;

import io.mooring.testing.Sessions;
import java.nio.file.Path;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** Sales in stores and on the web, which queries unite, and what they are joined with. */
final class UnionTables {
  /** The sales of both. */
  static final String SALES =
      "(select item, price, day from store union all select item, price * 2, day from web)";

  private UnionTables() {}

  /** A session whose queries are in stages, with the tables below a folder. */
  static SparkSession session(Path folder) {
    SparkSession spark = Sessions.transparent(folder.resolve("warehouse"), Map.of());
    write(spark, folder, "store", 5000, 2, "if(id % 11 = 0, null, cast(id % 130 as int))");
    write(spark, folder, "web", 3000, 3, "cast(id % 90 as int)");
    save(
        spark,
        folder,
        "items",
        spark
            .range(100)
            .selectExpr("cast(id as int) item", "concat('n', id % 9) name", "id % 3 = 0 kept"));
    save(
        spark,
        folder,
        "parts",
        spark.range(2000).selectExpr("id v", "cast(id % 10 as int) part"),
        "part");
    spark.range(50).selectExpr("cast(id as int) item", "id nr").createOrReplaceTempView("ranged");
    return spark;
  }

  private static void write(
      SparkSession spark, Path folder, String table, int rows, int files, String item) {
    save(
        spark,
        folder,
        table,
        spark
            .range(0, rows, 1, files)
            .selectExpr(
                "id",
                item + " item",
                "cast(id * 13 % 10007 as decimal(12,2)) price",
                "date_add(date'2020-01-01', cast(id % 400 as int)) day",
                "concat('t', id % 23) text"));
  }

  private static void save(
      SparkSession spark, Path folder, String table, Dataset<Row> rows, String... partitions) {
    String path = folder.resolve(table).toString();
    rows.write().partitionBy(partitions).parquet(path);
    spark.read().parquet(path).createOrReplaceTempView(table);
  }
}
