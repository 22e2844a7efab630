package io.mooring.testing;

import java.nio.file.Path;
import org.apache.spark.sql.SparkSession;

/**
 * One random table of every type, read by Mooring as view {@code ours} and by Spark as {@code
 * sparks}: partitioned, in several files of several row groups.
 */
public final class PushdownTables {
  private PushdownTables() {}

  public static void create(SparkSession spark, Path folder, long seed, int rows) {
    // Spark's own pruning by dictionaries loses rows of -0.0 where 0.0 is asked for.
    spark.conf().set("spark.sql.parquet.filterPushdown", "false");
    String path = folder.resolve("t").toString();
    // Quarters of integers add up exactly in any order.
    spark
        .createDataFrame(new RandomTables(seed).rows(rows), RandomTables.ALL_TYPES)
        .selectExpr(
            "*",
            "cast(an_int as double) / 4 as quarters",
            "cast(a_byte as float) / 4 as small_quarters",
            "abs(a_byte % 5) as part",
            "concat('p', abs(a_short % 3)) as text_part")
        .repartition(1)
        .write()
        .option("parquet.block.size", 64 << 10)
        .option("parquet.block.row.count.limit", 64)
        .partitionBy("part", "text_part")
        .parquet(path);
    spark.read().format("mooring").load(path).createOrReplaceTempView("ours");
    spark.read().parquet(path).createOrReplaceTempView("sparks");
  }
}
