package io.mooring.expr.device;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Date;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/** Rows of columns of all types: nulls, bounds, NaN, -0.0, old dates, strings of several bytes. */
final class RandomValues {
  /** The columns; tame ones have values that rarely overflow. */
  static final Map<String, DataType> COLUMNS = new LinkedHashMap<>();

  static {
    for (String suffix : List.of("", "_tame")) {
      COLUMNS.put("b" + suffix, DataTypes.BooleanType);
      COLUMNS.put("y" + suffix, DataTypes.ByteType);
      COLUMNS.put("s" + suffix, DataTypes.ShortType);
      COLUMNS.put("i" + suffix, DataTypes.IntegerType);
      COLUMNS.put("l" + suffix, DataTypes.LongType);
      COLUMNS.put("f" + suffix, DataTypes.FloatType);
      COLUMNS.put("d" + suffix, DataTypes.DoubleType);
      COLUMNS.put("p5" + suffix, new DecimalType(5, 2));
      COLUMNS.put("p9" + suffix, new DecimalType(9, 0));
      COLUMNS.put("p15" + suffix, new DecimalType(15, 2));
      COLUMNS.put("p18" + suffix, new DecimalType(18, 9));
      COLUMNS.put("p30" + suffix, new DecimalType(30, 4));
      COLUMNS.put("p38" + suffix, new DecimalType(38, 10));
      COLUMNS.put("q10" + suffix, new DecimalType(10, 10));
      COLUMNS.put("q38" + suffix, new DecimalType(38, 38));
      COLUMNS.put("t" + suffix, DataTypes.DateType);
      COLUMNS.put("ts" + suffix, DataTypes.TimestampType);
      COLUMNS.put("c" + suffix, DataTypes.StringType);
    }
  }

  private static final String[] TEXTS = {
    "",
    " ",
    "a",
    "A",
    "abc",
    "ABC",
    " abc ",
    "a%c",
    "a_c",
    "aXc",
    "abcabcabc",
    "x\ny",
    "100",
    "-1",
    "-",
    "+",
    "+7",
    "007",
    "1.5",
    ".",
    " 12 ",
    "300",
    "-99999999999",
    "123456789012345678901"
  };
  private static final String[] FOREIGN = {
    "ä", "äöü", "日本語", "a日b", "𝄞clef", "é", "ßx", " ä ", "İstanbul"
  };

  private final Random random;

  RandomValues(Random random) {
    this.random = random;
  }

  static StructType schema() {
    StructType schema = new StructType();
    for (Map.Entry<String, DataType> column : COLUMNS.entrySet()) {
      schema = schema.add(column.getKey(), column.getValue(), true);
    }
    return schema;
  }

  List<Row> rows(int count, double nulls) {
    return rows(count, nulls, false);
  }

  /**
   * @param tame whether all columns have values that rarely overflow
   */
  List<Row> rows(int count, double nulls, boolean tame) {
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      rows.add(
          RowFactory.create(
              COLUMNS.entrySet().stream()
                  .map(
                      column ->
                          random.nextDouble() < nulls
                              ? null
                              : value(column.getValue(), tame || column.getKey().endsWith("tame")))
                  .toArray()));
    }
    return rows;
  }

  @Nullable Object value(DataType type, boolean tame) {
    if (type instanceof DecimalType decimal) {
      return decimal(decimal, tame);
    }
    long number = tame ? random.nextInt(41) - 20 : bounds(type);
    return switch (type.typeName()) {
      case "boolean" -> random.nextBoolean();
      case "byte" -> (byte) number;
      case "short" -> (short) number;
      case "integer" -> (int) number;
      case "long" -> number;
      case "float" -> (float) floating(tame);
      case "double" -> floating(tame);
      case "date" -> Date.valueOf(date(tame));
      case "timestamp" -> java.sql.Timestamp.from(instant(tame));
      default -> text(tame);
    };
  }

  private long bounds(DataType type) {
    int bits = type.equals(DataTypes.ByteType) ? 8 : type.equals(DataTypes.ShortType) ? 16 : 32;
    bits = type.equals(DataTypes.LongType) ? 64 : bits;
    long most = Long.MAX_VALUE >> (64 - bits);
    return switch (random.nextInt(8)) {
      case 0 -> most;
      case 1 -> -most - 1;
      case 2 -> most - random.nextInt(3);
      case 3 -> 0;
      case 4 -> -1;
      case 5 -> random.nextInt(200) - 100;
      default -> random.nextLong() >> (64 - bits + random.nextInt(bits));
    };
  }

  private double floating(boolean tame) {
    if (tame) {
      return (random.nextInt(2_001) - 1_000) / 8.0;
    }
    return switch (random.nextInt(12)) {
      case 0 -> Double.NaN;
      case 1 -> -0.0;
      case 2 -> 0.0;
      case 3 -> Double.POSITIVE_INFINITY;
      case 4 -> Double.NEGATIVE_INFINITY;
      case 5 -> Float.MAX_VALUE;
      case 6 -> random.nextInt(5) - 2;
      case 7 -> Integer.MAX_VALUE + random.nextDouble() * 2;
      case 8 -> random.nextLong();
      case 9 -> Float.MIN_VALUE;
      default -> random.nextGaussian() * 1_000;
    };
  }

  private BigDecimal decimal(DecimalType type, boolean tame) {
    int digits = tame ? Math.min(type.precision(), 5) : type.precision();
    BigInteger most = BigInteger.TEN.pow(digits).subtract(BigInteger.ONE);
    BigInteger unscaled =
        switch (tame ? 9 : random.nextInt(10)) {
          case 0 -> most;
          case 1 -> most.negate();
          case 2 -> BigInteger.ZERO;
          case 3 -> BigInteger.valueOf(random.nextInt(3) - 1);
            // Halves of units are where rounding decides.
          case 4 -> BigInteger.valueOf(5).multiply(BigInteger.TEN.pow(random.nextInt(digits)));
          default ->
              new BigInteger(1 + random.nextInt(most.bitLength()), random)
                  .mod(most)
                  .multiply(BigInteger.valueOf(random.nextBoolean() ? 1 : -1));
        };
    return new BigDecimal(unscaled, type.scale());
  }

  private LocalDate date(boolean tame) {
    return LocalDate.ofEpochDay(
        tame
            ? 8_000 + random.nextInt(12_000)
            : switch (random.nextInt(6)) {
              case 0 -> LocalDate.of(1, 1, 1).toEpochDay();
              case 1 -> LocalDate.of(9999, 12, 31).toEpochDay();
              case 2 -> LocalDate.of(1582, 10, 1 + random.nextInt(31)).toEpochDay();
              case 3 -> LocalDate.of(1900 + random.nextInt(200), 2, 28).toEpochDay() + 1;
              default -> random.nextInt(3_650_000) - 719_162;
            });
  }

  private Instant instant(boolean tame) {
    if (!tame && random.nextInt(3) == 0) {
      return RandomZones.nearTransition(ZoneId.of(RandomZones.one(random)), random);
    }
    long day = date(tame).toEpochDay();
    long micros = Math.floorMod(random.nextLong(), 86_400_000_000L);
    return Instant.ofEpochSecond(day * 86_400 + micros / 1_000_000, micros % 1_000_000 * 1_000);
  }

  private String text(boolean tame) {
    String text = TEXTS[random.nextInt(TEXTS.length)];
    if (!tame && random.nextBoolean()) {
      text += FOREIGN[random.nextInt(FOREIGN.length)] + TEXTS[random.nextInt(TEXTS.length)];
    }
    return !tame && random.nextInt(20) == 0 ? text.repeat(40) : text;
  }
}
