package io.mooring.pushdown;

import ai.rapids.cudf.DType;
import io.mooring.columnar.CudfTypes;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Random rows over every type that expressions know. Few values of each type, the extreme ones
 * among them, so that many are equal.
 */
public final class RandomRows {
  private static final DataType PRICE = DataTypes.createDecimalType(7, 2);
  private static final String WIDE = "wide_";

  /** Two columns of most types; decimals in every width, one type in two of them. */
  public static final List<Column> COLUMNS =
      List.of(
          new Column("boolean_a", DataTypes.BooleanType),
          new Column("boolean_b", DataTypes.BooleanType),
          new Column("byte_a", DataTypes.ByteType),
          new Column("short_a", DataTypes.ShortType),
          new Column("int_a", DataTypes.IntegerType),
          new Column("int_b", DataTypes.IntegerType),
          new Column("long_a", DataTypes.LongType),
          new Column("long_b", DataTypes.LongType),
          new Column("float_a", DataTypes.FloatType),
          new Column("float_b", DataTypes.FloatType),
          new Column("double_a", DataTypes.DoubleType),
          new Column("double_b", DataTypes.DoubleType),
          new Column("date_a", DataTypes.DateType),
          new Column("date_b", DataTypes.DateType),
          new Column("timestamp_a", DataTypes.TimestampType),
          new Column("timestamp_b", DataTypes.TimestampType),
          new Column("price_a", PRICE),
          new Column("price_b", PRICE),
          new Column(WIDE + "price", PRICE),
          new Column("amount_a", DataTypes.createDecimalType(15, 3)),
          new Column("amount_b", DataTypes.createDecimalType(15, 3)),
          new Column("huge_a", DataTypes.createDecimalType(30, 4)),
          new Column("string_a", DataTypes.StringType),
          new Column("string_b", DataTypes.StringType));

  private final List<Object[]> rows = new ArrayList<>();
  private final RowColumns current =
      new RowColumns(
          new StructType(
              COLUMNS.stream()
                  .map(column -> DataTypes.createStructField(column.name(), column.type(), true))
                  .toArray(StructField[]::new)));

  /**
   * @param nulls the share of nulls in most columns; every fourth has none
   */
  public RandomRows(Random random, int count, double nulls) {
    for (int i = 0; i < count; i++) {
      Object[] row = new Object[COLUMNS.size()];
      for (int c = 0; c < row.length; c++) {
        boolean isNull = c % 4 != 3 && random.nextDouble() < nulls;
        row[c] = isNull ? null : value(COLUMNS.get(c).type(), random);
      }
      rows.add(row);
    }
  }

  /** A value of a type, never null, in Spark's internal form. */
  static Object value(DataType type, Random random) {
    int small = random.nextInt(7) - 3;
    boolean extreme = random.nextInt(12) == 0;
    if (type instanceof DecimalType decimal) {
      return Decimal.apply(
          (extreme ? 999_999L : 100) * small, decimal.precision(), decimal.scale());
    }
    return switch (type.typeName()) {
      case "boolean" -> small > 0;
      case "byte" -> extreme ? Byte.MIN_VALUE : (byte) small;
      case "short" -> extreme ? Short.MIN_VALUE : (short) small;
      case "integer" -> extreme ? Integer.MAX_VALUE : small;
      case "date" -> extreme ? -700_000 : small;
      case "long" -> extreme ? Long.MIN_VALUE : small;
      case "timestamp" -> extreme ? -1L << 50 : small * 1_000L;
      case "float" -> (float) floating(random, small);
      case "double" -> floating(random, small);
      default -> UTF8String.fromString("abcabc\u00e9".substring(3 + small, 7));
    };
  }

  private static double floating(Random random, int small) {
    return switch (random.nextInt(10)) {
      case 0, 1 -> Double.NaN;
      case 2 -> -0.0;
      case 3 -> 0.0;
      case 4 -> Double.POSITIVE_INFINITY;
      case 5 -> Double.NEGATIVE_INFINITY;
      default -> small / 2.0;
    };
  }

  /** The type of a column on the device. */
  public static DType type(Column column) {
    DType narrow = CudfTypes.of(column.type());
    return column.name().startsWith(WIDE)
        ? DType.create(DType.DTypeEnum.DECIMAL64, narrow.getScale())
        : narrow;
  }

  /** The values of a column, in Spark's internal form. */
  public Object[] values(int column) {
    return rows.stream().map(row -> row[column]).toArray();
  }

  public int count() {
    return rows.size();
  }

  /** One row for {@link Expr#onRow}, until the next is asked for. */
  public RowColumns row(int row) {
    return current.of(new GenericInternalRow(rows.get(row)));
  }

  /** The values of one row with their names. */
  public String text(int row) {
    StringBuilder text = new StringBuilder();
    for (int c = 0; c < COLUMNS.size(); c++) {
      text.append(COLUMNS.get(c).name()).append('=').append(rows.get(row)[c]).append(' ');
    }
    return text.toString();
  }
}
