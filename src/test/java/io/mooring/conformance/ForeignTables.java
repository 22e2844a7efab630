package io.mooring.conformance;

import io.mooring.conformance.TableWriter.WrittenTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.sql.DataFrameReader;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/** Files that pyarrow and DuckDB wrote as tables that random queries can name. */
final class ForeignTables {
  static final Path FILES =
      Path.of(System.getProperty("mooring.basedir", "."), "src/test/resources/foreign");
  private static final int SMALL = 100;

  // Spark knows neither the intervals nor the encoding of floats that DuckDB's files have.
  private static final StructType OF_DUCKDB =
      StructType.fromDDL(
          "i8 tinyint, i16 smallint, u8 smallint, d4 decimal(4, 2),"
              + " d9 decimal(9, 3), d18 decimal(18, 5), d38 decimal(38, 9), s string, bin binary,"
              + " day date, us timestamp_ntz, tz timestamp, ms timestamp_ntz, b boolean,"
              + " list array<bigint>, map map<string, bigint>, e string");

  private ForeignTables() {}

  /** Names of all files, in order. */
  static List<String> names() {
    try (Stream<Path> files = Files.list(FILES)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".parquet"))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Whether a file has many types, small numbers and texts among them, in a codec that Spark has.
   */
  private static boolean isGeneral(String name) {
    return name.matches("(arrow-(dictionary|plain|page-index|no-statistics)|duckdb-).*")
        && !name.contains("brotli");
  }

  /** One of the files that have columns for any query. */
  static WrittenTable one(SparkSession spark, Dice dice, String view) {
    Path file = FILES.resolve(dice.one(names().stream().filter(ForeignTables::isGeneral).toList()));
    boolean inferred = file.getFileName().toString().startsWith("arrow");
    DataFrameReader reader = inferred ? spark.read() : spark.read().schema(OF_DUCKDB);
    Dataset<Row> data = reader.parquet(file.toString());
    List<Row> rows = data.collectAsList();
    List<StructField> fields = List.of(data.schema().fields());
    List<TestColumn> columns =
        fields.stream().map(field -> column(field, rows, fields.indexOf(field))).toList();
    StructType schema = inferred ? new StructType() : OF_DUCKDB;
    return new WrittenTable(new TestTable(view, columns, rows), file.toString(), schema);
  }

  private static TestColumn column(StructField field, List<Row> rows, int at) {
    TestColumn column = new TestColumn(field.name(), field.dataType(), false);
    boolean small =
        column.isInteger()
            && rows.stream()
                .allMatch(
                    row ->
                        row.isNullAt(at) || Math.abs(((Number) row.get(at)).longValue()) < SMALL);
    return new TestColumn(field.name(), field.dataType(), small);
  }
}
