package io.mooring.conformance;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.DataFrameReader;
import org.apache.spark.sql.DataFrameWriter;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/** Writes random tables as Spark does: with all kinds of files and, over time, other schemas. */
final class TableWriter {
  private static final int MOST_ROWS = 200;
  private static final int MOST_FOLDERS = 4;
  private static final int LONGEST_NAME = 40;
  // Parquet's writers of one JVM share what chooses encodings: the last to begin sets it for all.
  private static final Object ONE_WRITES = new Object();

  private final SparkSession spark;
  private final Dice dice;

  TableWriter(SparkSession spark, Dice dice) {
    this.spark = spark;
    this.dice = dice;
  }

  /** A new table of files in a folder that is not there yet. */
  WrittenTable write(String view, Path folder) {
    List<TestColumn> columns = new RandomColumns(dice).next();
    int count = dice.oneIn(12) ? dice.between(0, 2) : dice.between(20, MOST_ROWS);
    List<Row> rows = new RandomRows(dice).next(columns, Math.max(1, count));
    Dataset<Row> all = spark.createDataFrame(rows.subList(0, count), schema(columns));
    List<String> partitions = partitions(columns, rows);
    int parts = dice.oneIn(3) ? dice.between(2, 3) : 1;
    boolean evolves = parts > 1 && dice.oneIn(2);
    for (int i = 0; i < parts; i++) {
      int part = i;
      Dataset<Row> some =
          parts == 1
              ? all
              : all.where(
                  functions
                      .pmod(functions.hash(allOf(columns)), functions.lit(parts))
                      .equalTo(part));
      save(evolves ? evolved(some, columns, partitions) : some, partitions, folder);
    }
    boolean needed = evolves || count == 0 || infersAnother(columns, partitions);
    return new WrittenTable(
        new TestTable(view, columns, rows), folder.toString(), readSchema(columns, needed));
  }

  private static Column[] allOf(List<TestColumn> columns) {
    // Maps have no hash.
    return columns.stream()
        .filter(column -> !column.isNested())
        .map(column -> functions.col(column.sql()))
        .toArray(Column[]::new);
  }

  private static StructType schema(List<TestColumn> columns) {
    StructType schema = new StructType();
    for (TestColumn column : columns) {
      schema = schema.add(column.name(), column.type());
    }
    return schema;
  }

  /**
   * The schema that the reader is given: empty, so that Spark infers it from the files, unless it
   * is needed or chance asks for it.
   */
  private StructType readSchema(List<TestColumn> columns, boolean needed) {
    return needed || dice.oneIn(4) ? schema(columns) : new StructType();
  }

  /** A column of few values, or none. */
  private List<String> partitions(List<TestColumn> columns, List<Row> rows) {
    List<String> few = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      int at = i;
      TestColumn column = columns.get(i);
      if (!column.isNested()
          && !column.is(DataTypes.BinaryType)
          && rows.stream().allMatch(row -> namesAFolder(String.valueOf(row.get(at))))
          && rows.stream().map(row -> row.get(at)).distinct().count() <= MOST_FOLDERS) {
        few.add(column.name());
      }
    }
    return few.isEmpty() || !dice.oneIn(2) ? List.of() : List.of(dice.one(few));
  }

  /**
   * True when Spark would infer doubles from folder names of decimals: their sums depend on the
   * order of rows.
   */
  private static boolean infersAnother(List<TestColumn> columns, List<String> partitions) {
    return columns.stream()
        .anyMatch(column -> column.isDecimal() && partitions.contains(column.name()));
  }

  private static boolean namesAFolder(String value) {
    return value.length() < LONGEST_NAME && value.chars().allMatch(c -> c >= ' ');
  }

  /** The rows in an older version of the table: columns less, narrower, or spelled otherwise. */
  private Dataset<Row> evolved(
      Dataset<Row> rows, List<TestColumn> columns, List<String> partitions) {
    List<Column> chosen = new ArrayList<>();
    for (TestColumn column : columns) {
      if (partitions.contains(column.name())) {
        chosen.add(functions.col(column.sql()));
      } else if (!dice.oneIn(5) || chosen.isEmpty()) {
        DataType narrow = dice.oneIn(3) ? narrower(column) : column.type();
        String value = "try_cast(" + column.sql() + " as " + narrow.sql() + ")";
        chosen.add(functions.expr(value).as(spelled(column.name())));
      }
    }
    return rows.select(chosen.toArray(Column[]::new));
  }

  private String spelled(String name) {
    return dice.oneIn(8) ? name.toUpperCase(Locale.ROOT) : name;
  }

  private DataType narrower(TestColumn column) {
    if (column.is(DataTypes.LongType) || column.is(DataTypes.DoubleType)) {
      return DataTypes.IntegerType;
    } else if (column.is(DataTypes.IntegerType)) {
      return DataTypes.ShortType;
    } else if (column.is(DataTypes.TimestampNTZType)) {
      return DataTypes.DateType;
    } else if (column.type() instanceof DecimalType decimal && decimal.precision() > 2) {
      int precision = decimal.precision() - 1;
      int scale = Math.max(0, decimal.scale() - dice.between(0, 1));
      return DataTypes.createDecimalType(precision, Math.min(precision, scale));
    }
    return column.type();
  }

  private void save(Dataset<Row> rows, List<String> partitions, Path folder) {
    if (rows.columns().length <= partitions.size()) {
      return;
    }
    DataFrameWriter<Row> writer =
        rows.coalesce(dice.oneIn(4) ? 2 : 1).write().options(options()).mode("append");
    writer.partitionBy(partitions.toArray(String[]::new));
    synchronized (ONE_WRITES) {
      writer.parquet(folder.toString());
    }
  }

  private Map<String, String> options() {
    Map<String, String> options = new HashMap<>();
    options.put("compression", dice.one("none", "snappy", "gzip", "zstd"));
    options.put("parquet.enable.dictionary", dice.one("true", "false"));
    options.put("parquet.writer.version", dice.one("v1", "v1", "v2"));
    options.put("parquet.block.row.count.limit", dice.one("7", "50", "100000"));
    options.put("parquet.page.size", dice.one("128", "2048", "1048576"));
    options.put("parquet.page.size.row.check.min", "1");
    options.put("parquet.bloom.filter.enabled", dice.one("false", "false", "true"));
    options.put("parquet.bloom.filter.max.bytes", "128");
    return options;
  }

  /**
   * Random rows: each column has its share of nulls, its number of distinct values and its runs.
   */
  private static final class RandomRows {
    private static final int[] NULL_PERCENTS = {0, 0, 10, 50, 97, 100};
    private static final int[] DISTINCTS = {1, 3, 20, Integer.MAX_VALUE};
    private static final int[] RUNS = {1, 1, 7, 40};

    private final Dice dice;
    private final RandomValues values;

    public RandomRows(Dice dice) {
      this.dice = dice;
      this.values = new RandomValues(dice);
    }

    /** Makes {@code count} rows of these columns. */
    List<Row> next(List<TestColumn> columns, int count) {
      List<List<@Nullable Object>> byColumn = new ArrayList<>();
      columns.forEach(column -> byColumn.add(column(column, count)));
      List<Row> rows = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        int at = i;
        rows.add(RowFactory.create(byColumn.stream().map(column -> column.get(at)).toArray()));
      }
      return rows;
    }

    private List<@Nullable Object> column(TestColumn column, int count) {
      int nullPercent = NULL_PERCENTS[dice.between(0, NULL_PERCENTS.length - 1)];
      int distinct = DISTINCTS[dice.between(0, DISTINCTS.length - 1)];
      int run = RUNS[dice.between(0, RUNS.length - 1)];
      List<Object> known = new ArrayList<>();
      List<@Nullable Object> made = new ArrayList<>();
      while (made.size() < count) {
        Object value = known.size() < distinct ? values.of(column.type(), column.small()) : null;
        if (value != null && distinct < Integer.MAX_VALUE) {
          known.add(value);
        }
        Object chosen = value == null ? dice.one(known) : value;
        boolean isNull = dice.between(1, 100) <= nullPercent;
        for (int i = dice.between(1, run); i > 0; i--) {
          made.add(isNull ? null : chosen);
        }
      }
      return made.subList(0, count);
    }
  }

  /**
   * Files of a random table.
   *
   * @param address of their folder
   * @param schema that the reader is given; without fields none
   */
  record WrittenTable(TestTable table, String address, StructType schema) {

    /** Makes it known to a session under its name. */
    void register(SparkSession session, Map<String, String> options) {
      DataFrameReader reader = session.read().options(options);
      if (schema.length() > 0) {
        reader = reader.schema(schema);
      }
      reader.parquet(address).createOrReplaceTempView(table.view());
    }
  }
}
