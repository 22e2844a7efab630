package io.mooring.conformance;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** Random schemas: every type of Parquet that Spark writes, nested ones too, under odd names. */
final class RandomColumns {
  private static final List<String> ODD_NAMES =
      List.of("a b", "x.y", "Ünï çödé", "select", "MiXeD", "with`tick", "1st", "a,b;{c}", "#");
  private static final int[] PRECISIONS = {1, 2, 4, 5, 9, 10, 17, 18, 19, 20, 28, 37, 38};

  private final Dice dice;

  RandomColumns(Dice dice) {
    this.dice = dice;
  }

  /** Some columns; two small numbers and a text are always there. */
  List<TestColumn> next() {
    Set<String> taken = new TreeSet<>();
    List<TestColumn> columns = new ArrayList<>();
    columns.add(new TestColumn(name("k", taken), DataTypes.IntegerType, true));
    columns.add(new TestColumn(name("v", taken), smallType(), true));
    columns.add(new TestColumn(name("s", taken), DataTypes.StringType, false));
    int more = dice.between(2, 10);
    for (int i = 0; i < more; i++) {
      boolean small = dice.oneIn(3);
      DataType type = small ? smallType() : type(2);
      columns.add(new TestColumn(name("c" + i, taken), type, small));
    }
    return List.copyOf(columns);
  }

  private String name(String plain, Set<String> taken) {
    String name = dice.oneIn(6) ? dice.one(ODD_NAMES) : plain;
    return taken.add(name.toLowerCase(Locale.ROOT)) ? name : plain;
  }

  private DataType smallType() {
    return dice.one(
        DataTypes.ByteType,
        DataTypes.ShortType,
        DataTypes.IntegerType,
        DataTypes.LongType,
        DataTypes.FloatType,
        DataTypes.DoubleType,
        DataTypes.createDecimalType(7, 2),
        DataTypes.createDecimalType(12, 3),
        DataTypes.createDecimalType(22, 4));
  }

  private DataType type(int depth) {
    return depth > 0 && dice.oneIn(9) ? nested(depth) : plainType();
  }

  private DataType plainType() {
    return dice.any(
        () ->
            dice.one(
                DataTypes.ByteType, DataTypes.ShortType, DataTypes.IntegerType, DataTypes.LongType),
        () -> dice.one(DataTypes.FloatType, DataTypes.DoubleType),
        this::decimal,
        () -> dice.one(DataTypes.StringType, DataTypes.StringType, DataTypes.BinaryType),
        () -> dice.one(DataTypes.DateType, DataTypes.TimestampType),
        () -> dice.oneIn(2) ? DataTypes.BooleanType : unserved());
  }

  private DataType unserved() {
    return dice.one(
        DataTypes.TimestampNTZType,
        DataTypes.createDayTimeIntervalType(),
        DataTypes.createYearMonthIntervalType());
  }

  private DataType decimal() {
    int precision = PRECISIONS[dice.between(0, PRECISIONS.length - 1)];
    return DataTypes.createDecimalType(precision, dice.between(0, precision));
  }

  private DataType nested(int depth) {
    return switch (dice.between(0, 2)) {
      case 0 -> DataTypes.createArrayType(type(depth - 1), true);
      case 1 -> DataTypes.createMapType(DataTypes.StringType, type(depth - 1), true);
      default ->
          new StructType()
              .add("f", type(depth - 1))
              .add("g", DataTypes.IntegerType)
              .add("h", plainType());
    };
  }
}
