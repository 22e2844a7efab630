package io.mooring.spark.plan.stages;

import io.mooring.testing.Sessions;
import java.nio.file.Path;
import java.util.Map;
import org.apache.spark.sql.SparkSession;

/** Sales, many and few, with nulls among prices and weights. */
final class SalesTables {
  /** A query whose partial aggregate is in a stage. */
  static final String GROUPED =
      "select flag, avg(price) a, round(stddev(weight), 6) s, count(*) c from sales group by flag";

  private SalesTables() {}

  /** A session whose queries are in stages, with the tables below a folder. */
  static SparkSession session(Path folder) {
    SparkSession spark = Sessions.transparent(folder.resolve("warehouse"), Map.of());
    write(spark, folder, "sales", 5000, 3);
    write(spark, folder, "few", 100, 1);
    return spark;
  }

  private static void write(SparkSession spark, Path folder, String table, int rows, int files) {
    String path = folder.resolve(table).toString();
    spark
        .range(0, rows, 1, files)
        .selectExpr(
            "id",
            "concat('f', id % 5) flag",
            "if(id % 7 = 0, null, cast(id * 13 % 10007 as decimal(12,2))) price",
            "cast(id % 11 as decimal(4,2)) / 100 discount",
            "if(id % 9 = 0, null, id * 0.5D) weight",
            "date_add(date'2020-01-01', cast(id % 700 as int)) day",
            "concat('text ', id % 23, if(id % 4 = 0, 'ä', '')) text")
        .write()
        .parquet(path);
    spark.read().parquet(path).createOrReplaceTempView(table);
  }
}
