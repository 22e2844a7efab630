package io.mooring.testing;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Date;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/** Random rows over every type that the GPU decodes, a fifth of the values null. */
public final class RandomTables {
  private static final int NULL_ONE_IN = 5;

  /** A column of each type; the names tell them. */
  public static final StructType ALL_TYPES =
      new StructType()
          .add("a_boolean", DataTypes.BooleanType)
          .add("a_byte", DataTypes.ByteType)
          .add("a_short", DataTypes.ShortType)
          .add("an_int", DataTypes.IntegerType)
          .add("a_long", DataTypes.LongType)
          .add("a_float", DataTypes.FloatType)
          .add("a_double", DataTypes.DoubleType)
          .add("a_decimal32", DataTypes.createDecimalType(9, 2))
          .add("a_decimal64", DataTypes.createDecimalType(18, 4))
          .add("a_decimal128", DataTypes.createDecimalType(38, 10))
          .add("a_date", DataTypes.DateType)
          .add("a_timestamp", DataTypes.TimestampType)
          .add("a_string", DataTypes.StringType)
          .add("a_binary", DataTypes.BinaryType);

  private final Random random;

  public RandomTables(long seed) {
    this.random = new Random(seed);
  }

  /** Rows of {@link #ALL_TYPES}. */
  public List<Row> rows(int count) {
    List<Row> rows = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      Object[] values = new Object[ALL_TYPES.length()];
      for (int c = 0; c < values.length; c++) {
        StructField field = ALL_TYPES.fields()[c];
        values[c] = random.nextInt(NULL_ONE_IN) == 0 ? null : value(field.dataType());
      }
      rows.add(RowFactory.create(values));
    }
    return rows;
  }

  /** A value of one of the types of {@link #ALL_TYPES}, never null. */
  public Object value(DataType type) {
    if (type instanceof DecimalType decimal) {
      // Three bits to a digit keep it within the precision.
      BigInteger unscaled = new BigInteger(decimal.precision() * 3, random);
      return new BigDecimal(random.nextBoolean() ? unscaled : unscaled.negate(), decimal.scale());
    }
    return switch (type.typeName()) {
      case "boolean" -> random.nextBoolean();
      case "byte" -> (byte) random.nextInt();
      case "short" -> (short) random.nextInt();
      case "integer" -> random.nextInt();
      case "long" -> random.nextLong();
      case "float" -> special(random.nextFloat() * 1e6f);
      case "double" -> special(random.nextGaussian() * 1e9);
      case "date" -> Date.valueOf(LocalDate.ofEpochDay(random.nextInt(60_000) - 20_000));
      case "timestamp" ->
          Timestamp.from(
              Instant.ofEpochSecond(random.nextInt(), 1000L * random.nextInt(1_000_000)));
      case "string" -> text();
      case "binary" -> bytes();
      default -> throw new IllegalArgumentException(type.typeName());
    };
  }

  private float special(float value) {
    return switch (random.nextInt(50)) {
      case 0 -> Float.NaN;
      case 1 -> -0.0f;
      case 2 -> Float.NEGATIVE_INFINITY;
      default -> value;
    };
  }

  private double special(double value) {
    return switch (random.nextInt(50)) {
      case 0 -> Double.NaN;
      case 1 -> -0.0;
      case 2 -> Double.POSITIVE_INFINITY;
      default -> value;
    };
  }

  private String text() {
    StringBuilder text = new StringBuilder();
    int length = random.nextInt(20);
    for (int i = 0; i < length; i++) {
      text.appendCodePoint(
          random.nextInt(10) == 0 ? 0x1F600 + random.nextInt(50) : 'a' + random.nextInt(26));
    }
    return text.toString();
  }

  private byte[] bytes() {
    byte[] bytes = new byte[random.nextInt(12)];
    random.nextBytes(bytes);
    return bytes;
  }
}
