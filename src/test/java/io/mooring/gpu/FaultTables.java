package io.mooring.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.testing.ScanResults;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** A table that is read while things fail, and what Spark's own reader makes of it. */
final class FaultTables {
  static final int FILES = 8;
  private static final int ROW_GROUPS_OF_A_FILE = 8;
  private static final int ROWS_OF_A_ROW_GROUP = 500;
  private static final String QUERY = "select * from %s.`%s` where id %% 3 = %d";

  private final SparkSession spark;
  private final String path;

  private FaultTables(SparkSession spark, String path) {
    this.spark = spark;
    this.path = path;
  }

  /** Values are random, as is their order: the same for no two runs. */
  static FaultTables write(SparkSession spark, Path folder) {
    String path = folder.resolve("table").toString();
    spark
        .range(0, (long) FILES * ROW_GROUPS_OF_A_FILE * ROWS_OF_A_ROW_GROUP, 1, FILES)
        .selectExpr("id", "rand() as r", "cast(rand() * 1e9 as string) as s")
        .write()
        .option("parquet.block.row.count.limit", ROWS_OF_A_ROW_GROUP)
        .parquet(path);
    return new FaultTables(spark, path);
  }

  /** A third of the rows through Mooring. */
  Dataset<Row> ours(int third) {
    return spark.sql(QUERY.formatted("mooring", path, third));
  }

  List<String> expected(int third) {
    return ScanResults.rows(spark.sql(QUERY.formatted("parquet", path, third)));
  }

  /** Runs a query of ours, and returns it with its metrics. */
  Dataset<Row> scan(int third) {
    Dataset<Row> ours = ours(third);
    assertThat(ScanResults.rows(ours)).isNotEmpty().isEqualTo(expected(third));
    return ours;
  }
}
