package io.mooring.expr.device;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/** Random decimals, and strings that are numbers, or are not quite. */
final class DecimalTexts {
  /** The types of the columns p0, p1 and so on. */
  static final List<DecimalType> TYPES =
      List.of(
          new DecimalType(7, 2),
          new DecimalType(9, 9),
          new DecimalType(12, 0),
          new DecimalType(18, 7),
          new DecimalType(18, 18),
          new DecimalType(20, 6),
          new DecimalType(25, 8),
          new DecimalType(38, 0),
          new DecimalType(38, 10),
          new DecimalType(38, 38));

  private static final List<String> OTHERS =
      List.of("", " ", "abc", "-", "+", ".", "-.", "NaN", "Infinity", "1,5", "1 2", "0x1f", "--1");
  // Numbers for Spark, and hardly for anyone else.
  private static final List<String> STRANGE =
      List.of("1e3", "-1.5E-3", "0e60", "1e", "e1", "1.2.3", "\u0661\u0662", "\u0663.5", "5\u0000");

  private final Random random;

  DecimalTexts(Random random) {
    this.random = random;
  }

  static StructType schema() {
    StructType schema = new StructType().add("c", DataTypes.StringType, true);
    for (int i = 0; i < TYPES.size(); i++) {
      schema = schema.add("p" + i, TYPES.get(i), true);
    }
    return schema.add("b", DataTypes.BooleanType, false);
  }

  /** Rows in which the strings are numbers, or with them others, or also strange ones. */
  List<Row> rows(int count) {
    int kind = random.nextInt(4);
    int whole = random.nextInt(12);
    int places = random.nextInt(10);
    boolean wild = random.nextInt(3) == 0;
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      List<Object> row = new ArrayList<>();
      row.add(text(kind, wild ? random.nextInt(42) : whole, wild ? random.nextInt(42) : places));
      TYPES.forEach(type -> row.add(decimal(type)));
      row.add(random.nextInt(5) > 0);
      rows.add(RowFactory.create(row.toArray()));
    }
    return rows;
  }

  private @Nullable String text(int kind, int whole, int places) {
    int dice = random.nextInt(20);
    if (dice == 0) {
      return null;
    } else if (dice < 3 && kind > 0) {
      return OTHERS.get(random.nextInt(OTHERS.size()));
    } else if (dice == 3 && kind == 3) {
      return STRANGE.get(random.nextInt(STRANGE.size()));
    }
    return number(whole, places);
  }

  /** A number with up to so many digits before its point, and so many after it. */
  private String number(int whole, int places) {
    String digits = digits(random.nextInt(whole + 1));
    String fraction = digits(random.nextInt(places + 1));
    String sign = List.of("", "", "-", "+").get(random.nextInt(4));
    String zeros = "0".repeat(random.nextInt(6) == 0 ? random.nextInt(45) : random.nextInt(2));
    boolean point = !fraction.isEmpty() || random.nextInt(4) == 0;
    String body = zeros + digits + (point ? "." : "") + fraction;
    String number = sign + (body.isEmpty() || body.equals(".") ? "0" : body);
    return random.nextInt(6) == 0 ? blanks() + number + blanks() : number;
  }

  private String blanks() {
    return List.of("", " ", "\t", "  \n", "\u0001", "\r\n").get(random.nextInt(6));
  }

  /** Digits, often all the same: nines and halves are where rounding carries. */
  private String digits(int count) {
    return switch (random.nextInt(5)) {
      case 0 -> "9".repeat(count);
      case 1 -> "9".repeat(count).replaceFirst("9$", "5");
      case 2 -> "0".repeat(count).replaceFirst("0$", "5");
      default -> {
        StringBuilder digits = new StringBuilder();
        for (int i = 0; i < count; i++) {
          digits.append(random.nextInt(10));
        }
        yield digits.toString();
      }
    };
  }

  private @Nullable BigDecimal decimal(DecimalType type) {
    int size = random.nextInt(type.precision() + 1);
    BigInteger most = BigInteger.TEN.pow(size);
    BigInteger units =
        switch (random.nextInt(6)) {
          case 0 -> most.subtract(BigInteger.ONE);
          case 1 -> BigInteger.TEN.pow(Math.min(size, type.precision() - 1));
          default -> new BigInteger(most.bitLength() + 8, random).mod(most);
        };
    boolean none = random.nextInt(12) == 0;
    return none
        ? null
        : new BigDecimal(random.nextBoolean() ? units : units.negate(), type.scale());
  }
}
