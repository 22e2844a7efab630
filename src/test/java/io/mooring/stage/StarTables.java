package io.mooring.stage;

import io.mooring.testing.Sessions;
import java.nio.file.Path;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** Facts, and the items, shops and lists that queries join them with. */
final class StarTables {
  private StarTables() {}

  /** A session whose queries are in stages, with the tables below a folder. */
  static SparkSession session(Path folder) {
    SparkSession spark = Sessions.transparent(folder.resolve("warehouse"), Map.of());
    write(
        spark,
        folder,
        "facts",
        spark
            .range(0, 6000, 1, 3)
            .selectExpr(
                "id",
                "if(id % 11 = 0, null, cast(id % 130 as int)) item",
                "id % 17 shop",
                "concat('c', id % 23) code",
                "cast(id * 13 % 10007 as decimal(12,2)) price",
                "date_add(date'2020-01-01', cast(id % 400 as int)) day"));
    write(
        spark,
        folder,
        "items",
        spark
            .range(100)
            .selectExpr(
                "cast(id as int) item",
                "concat('name ', id % 9) name",
                "cast(id as decimal(12,2)) cost",
                "concat('c', id % 40) code"));
    write(
        spark,
        folder,
        "shops",
        spark
            .range(40)
            .selectExpr("id % 20 shop", "if(id % 5 = 0, null, concat('s', id)) label", "id nr"));
    write(spark, folder, "lists", spark.range(20).selectExpr("id shop", "array(id) list"));
    return spark;
  }

  private static void write(SparkSession spark, Path folder, String table, Dataset<Row> rows) {
    String path = folder.resolve(table).toString();
    rows.write().parquet(path);
    spark.read().parquet(path).createOrReplaceTempView(table);
  }
}
