package io.mooring.benchmarks.nds;

import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * A table whose rows depend on their numbers, the seed and the sizes of the suite's tables alone.
 *
 * @param name as the queries have it
 * @param rows how many
 * @param steps lists of expressions, each over the columns of the one before, the first over the
 *     row's number {@code id}
 */
record NdsTable(String name, long rows, List<List<String>> steps) {

  static NdsTable of(String name, long rows, String... expressions) {
    return new NdsTable(name, rows, List.of(List.of(expressions)));
  }

  /** The rows in order over so many partitions; needs {@link Money#register}. */
  Dataset<Row> rows(SparkSession spark, int partitions) {
    Dataset<Row> data = spark.range(0, rows, 1, partitions).toDF();
    for (List<String> step : steps) {
      data = data.selectExpr(step.toArray(new String[0]));
    }
    return data;
  }
}
