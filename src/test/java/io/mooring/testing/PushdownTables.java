package io.mooring.testing;

import java.nio.file.Path;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * One random table of every type, read by Mooring as view {@code ours} and by Spark as {@code
 * sparks}: partitioned, in several files of several row groups.
 */
public final class PushdownTables {
  private static final int ROWS = 4_000;

  private PushdownTables() {}

  /**
   * A session whose scans evaluate filters and aggregates, with the table.
   *
   * @param test whose name is printed with the seed
   */
  public static SparkSession session(Path folder, Class<?> test) {
    SparkSession spark =
        Sessions.withPlugin(
            2,
            Interpreted.and(
                Map.of(
                    "spark.mooring.pinnedPool.size", "256m",
                    "spark.mooring.sql.pushdown", "always")));
    long seed = System.nanoTime();
    System.out.println(test.getSimpleName() + " seed " + seed);
    create(spark, folder, seed, ROWS);
    return spark;
  }

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

  /**
   * A query has the same rows of both views.
   *
   * @param query with %s where the name of a view stands
   * @return the answer of ours
   */
  public static Dataset<Row> assertSame(SparkSession spark, String query) {
    Dataset<Row> ours = spark.sql(query.formatted("ours"));
    ScanResults.assertSame(ours, spark.sql(query.formatted("sparks")));
    return ours;
  }

  /** Whether Spark offers an expression to scans: Spark 3.5 evaluates arithmetic itself. */
  public static boolean isOffered(String expression) {
    return !expression.contains("2.0D")
        || !org.apache.spark.package$.MODULE$.SPARK_VERSION().startsWith("3.");
  }
}
