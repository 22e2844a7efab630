package io.mooring.conformance;

import java.nio.file.Path;
import java.util.Map;
import org.apache.spark.sql.DataFrameReader;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;

/**
 * Files of a random table.
 *
 * @param schema that the reader is given; without fields none
 */
record WrittenTable(TestTable table, Path folder, StructType schema) {

  /** Makes it known to a session under its name. */
  void register(SparkSession session, Map<String, String> options) {
    DataFrameReader reader = session.read().options(options);
    if (schema.length() > 0) {
      reader = reader.schema(schema);
    }
    reader.parquet(folder.toString()).createOrReplaceTempView(table.view());
  }
}
