package io.mooring.conformance;

import io.mooring.testing.ScanResults;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;

/** A small file of several row groups and pages, to be damaged. */
record GoodFile(byte[] bytes, StructType schema) {
  private static final int ROWS = 400;
  private static final int ROWS_OF_GROUP = 150;
  private static final String[] COLUMNS = {
    "id",
    "if(id % 7 = 0, null, id / 4.0D) as v",
    "cast(id % 5 as int) as k",
    "if(id % 11 = 0, null, cast(hash(id) as string)) as text",
    "cast(id * 1001 % 977 as decimal(20, 3)) as amount",
    "date_add(date'2020-02-28', cast(id % 90 as int)) as day",
    "timestamp_micros(id * 1000000007) as moment",
    "id % 3 = 0 as flag",
    "if(id % 4 = 0, null, array(id, null, id % 9)) as list"
  };

  /** Of several codecs and encodings; only the last has a nested column. */
  static List<GoodFile> several(SparkSession spark, Path folder) throws IOException {
    int flat = COLUMNS.length - 1;
    return List.of(
        write(spark, folder.resolve("none"), "none", "v1", "true", flat),
        write(spark, folder.resolve("plain"), "none", "v1", "false", flat),
        write(spark, folder.resolve("snappy"), "snappy", "v1", "true", flat),
        write(spark, folder.resolve("delta"), "snappy", "v2", "false", flat),
        write(spark, folder.resolve("gzip"), "gzip", "v2", "true", flat),
        write(spark, folder.resolve("zstd"), "zstd", "v1", "false", flat),
        write(spark, folder.resolve("nested"), "zstd", "v1", "true", flat + 1));
  }

  private static GoodFile write(
      SparkSession spark, Path table, String codec, String version, String dictionary, int columns)
      throws IOException {
    List<String> chosen = new ArrayList<>(List.of(COLUMNS).subList(0, columns));
    Dataset<Row> rows = spark.range(0, ROWS, 1, 1).selectExpr(chosen.toArray(String[]::new));
    rows.write()
        .option("compression", codec)
        .option("parquet.writer.version", version)
        .option("parquet.enable.dictionary", dictionary)
        .option("parquet.page.size", 512)
        .option("parquet.block.row.count.limit", ROWS_OF_GROUP)
        .parquet(table.toString());
    byte[] bytes = Files.readAllBytes(ScanResults.firstParquetFile(table));
    return new GoodFile(bytes, rows.schema());
  }
}
