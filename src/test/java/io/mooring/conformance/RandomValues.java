package io.mooring.conformance;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.Period;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;
import scala.jdk.javaapi.CollectionConverters;

/** Random values of a type as Spark takes them in rows: common ones, extremes, oddities. */
final class RandomValues {
  private static final int SMALL = 100;
  private static final int ODD_ONE_IN = 8;
  private static final int LONG_TEXT = 3_000;
  private static final long FIRST_DAY = LocalDate.of(1, 1, 1).toEpochDay();
  private static final long LAST_DAY = LocalDate.of(9999, 12, 31).toEpochDay();
  private static final long DAY_SECONDS = 86_400;

  private final Dice dice;

  RandomValues(Dice dice) {
    this.dice = dice;
  }

  /** Not null itself; what is in it may be. */
  Object of(DataType type, boolean small) {
    if (type instanceof DecimalType decimal) {
      return decimal(decimal, small);
    } else if (type instanceof ArrayType array) {
      return CollectionConverters.asScala(elements(array.elementType())).toSeq();
    } else if (type instanceof MapType map) {
      return CollectionConverters.asScala(entries(map));
    } else if (type instanceof StructType struct) {
      return fields(struct);
    }
    return small ? smallNumber(type) : plain(type);
  }

  private Object smallNumber(DataType type) {
    int number = dice.between(-SMALL, SMALL);
    return switch (type.typeName()) {
      case "byte" -> (byte) number;
      case "short" -> (short) number;
      case "integer" -> number;
      case "long" -> (long) number;
      case "float" -> number / 4.0f + 0.0f;
      default -> number / 4.0 + 0.0;
    };
  }

  private Object plain(DataType type) {
    boolean odd = dice.oneIn(ODD_ONE_IN);
    return switch (type.typeName()) {
      case "boolean" -> dice.oneIn(2);
      case "byte" -> (byte) dice.random().nextInt();
      case "short" -> odd ? dice.one(Short.MIN_VALUE, Short.MAX_VALUE) : (short) integer();
      case "integer" -> odd ? dice.one(Integer.MIN_VALUE, Integer.MAX_VALUE) : integer();
      case "long" -> odd ? dice.one(Long.MIN_VALUE, Long.MAX_VALUE) : wide();
      case "float" -> odd ? oddFloat() : dice.random().nextFloat() * 1e6f;
      case "double" -> odd ? oddDouble() : dice.random().nextGaussian() * 1e9;
      case "string" -> text(odd);
      case "binary" -> bytes(odd ? 0 : dice.between(1, 12));
      case "date" -> LocalDate.ofEpochDay(day(odd));
      case "timestamp" -> moment(odd);
      case "timestamp_ntz" -> LocalDateTime.ofInstant(moment(odd), ZoneOffset.UTC);
      default -> type.typeName().contains("year") ? Period.ofMonths(integer() % 10_000) : span();
    };
  }

  private int integer() {
    return dice.random().nextInt();
  }

  private long wide() {
    return dice.random().nextLong();
  }

  private Duration span() {
    return Duration.ofSeconds(integer(), dice.between(0, 999_999) * 1_000L);
  }

  private float oddFloat() {
    return dice.one(
        Float.NaN,
        0.0f,
        -0.0f,
        Float.POSITIVE_INFINITY,
        Float.NEGATIVE_INFINITY,
        Float.MIN_VALUE,
        -Float.MAX_VALUE);
  }

  private double oddDouble() {
    return dice.one(
        Double.NaN,
        0.0,
        -0.0,
        Double.POSITIVE_INFINITY,
        Double.NEGATIVE_INFINITY,
        Double.MIN_VALUE,
        -Double.MAX_VALUE);
  }

  /** Around the turn of calendars and of the epoch, too. */
  private long day(boolean odd) {
    return odd
        ? dice.one(FIRST_DAY, LAST_DAY, -141_427L, -141_438L, -25_567L, -1L, 0L)
        : dice.between(-20_000, 40_000);
  }

  private Instant moment(boolean odd) {
    return Instant.ofEpochSecond(
        day(odd) * DAY_SECONDS + dice.between(0, (int) DAY_SECONDS - 1),
        dice.between(0, 999_999) * 1_000L);
  }

  private String text(boolean odd) {
    if (odd) {
      return dice.one("", " ", "%_\\", "'\"`", "null", "\n\t", "x".repeat(LONG_TEXT), "\u0000");
    }
    StringBuilder text = new StringBuilder();
    int length = dice.between(1, 6);
    for (int i = 0; i < length; i++) {
      text.appendCodePoint(dice.oneIn(12) ? 0x1F600 + dice.between(0, 40) : letter());
    }
    return text.toString();
  }

  private int letter() {
    return dice.one("abcABC019 é").codePointAt(0) + dice.between(0, 5);
  }

  private byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    dice.random().nextBytes(bytes);
    return bytes;
  }

  private BigDecimal decimal(DecimalType type, boolean small) {
    BigInteger limit = BigInteger.TEN.pow(small ? 4 : type.precision());
    BigInteger largest = limit.subtract(BigInteger.ONE);
    BigInteger unscaled =
        !small && dice.oneIn(ODD_ONE_IN)
            ? largest
            : new BigInteger(limit.bitLength() + 8, dice.random()).mod(limit);
    return new BigDecimal(dice.oneIn(2) ? unscaled : unscaled.negate(), type.scale());
  }

  private @Nullable Object orNull(DataType type) {
    return dice.oneIn(5) ? null : of(type, false);
  }

  private List<@Nullable Object> elements(DataType type) {
    List<@Nullable Object> elements = new ArrayList<>();
    int count = dice.between(0, 4);
    for (int i = 0; i < count; i++) {
      elements.add(orNull(type));
    }
    return elements;
  }

  private Map<Object, @Nullable Object> entries(MapType type) {
    Map<Object, @Nullable Object> entries = new LinkedHashMap<>();
    int count = dice.between(0, 3);
    for (int i = 0; i < count; i++) {
      entries.put(dice.one("a", "b", "", "key"), orNull(type.valueType()));
    }
    return entries;
  }

  private Row fields(StructType type) {
    List<@Nullable Object> values = new ArrayList<>();
    for (StructField field : type.fields()) {
      values.add(orNull(field.dataType()));
    }
    return RowFactory.create(values.toArray());
  }
}
