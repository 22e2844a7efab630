package io.mooring.expr;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.expr.Arithmetic.Operator;
import io.mooring.expr.DeviceExpr.Cast;
import io.mooring.expr.DeviceExpr.InputColumn;
import io.mooring.expr.DeviceExpr.Literal;
import io.mooring.expr.DeviceExpr.Mode;
import java.math.BigInteger;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IntegerRangeTest {
  private static final DeviceExpr SMALL =
      cast(new InputColumn(0, DataTypes.ShortType), DataTypes.IntegerType);
  private static final DeviceExpr INT = new InputColumn(1, DataTypes.IntegerType);

  private static DeviceExpr cast(DeviceExpr child, DataType type) {
    return new Cast(child, type, Mode.ANSI);
  }

  private static DeviceExpr literal(int value) {
    return new Literal(value, DataTypes.IntegerType);
  }

  private static IntegerRange range(long least, long most) {
    return new IntegerRange(BigInteger.valueOf(least), BigInteger.valueOf(most));
  }

  @ParameterizedTest
  @CsvSource({
    "ADD, 2147450880, true",
    "ADD, 2147450881, false",
    "ADD, -2147450880, true",
    "ADD, -2147450881, false",
    "SUBTRACT, 2147450880, true",
    "SUBTRACT, 2147450881, false",
    "MULTIPLY, 65536, true",
    "MULTIPLY, 65537, false",
    "MULTIPLY, -65535, true",
    "MULTIPLY, -65536, false",
    "REMAINDER, 10, false"
  })
  void fits_aSmallintAndAConstant_upToTheLastOnesThatDo(
      Operator operator, int constant, boolean fits) {
    assertThat(IntegerRange.fits(operator, SMALL, literal(constant))).isEqualTo(fits);
  }

  @Test
  void fits_columnsOfTheSameWidth_no() {
    assertThat(IntegerRange.fits(Operator.ADD, INT, literal(1))).isFalse();
    assertThat(IntegerRange.fits(Operator.ADD, INT, INT)).isFalse();
    assertThat(IntegerRange.fits(Operator.ADD, SMALL, INT)).isFalse();
  }

  @Test
  void fits_otherTypesThanIntegers_no() {
    DeviceExpr number = new InputColumn(2, DataTypes.DoubleType);
    assertThat(IntegerRange.fits(Operator.ADD, number, number)).isFalse();
  }

  @Test
  void of_nestedSums_addsTheirRanges() {
    DeviceExpr sum =
        new Arithmetic(Operator.ADD, SMALL, literal(5), DataTypes.IntegerType, Mode.LEGACY);

    assertThat(IntegerRange.of(sum)).isEqualTo(range(-32763, 32772));
    assertThat(IntegerRange.of(cast(sum, DataTypes.LongType))).isEqualTo(range(-32763, 32772));
  }

  @Test
  void of_narrowingCasts_isAllOfTheType() {
    assertThat(IntegerRange.of(cast(INT, DataTypes.ShortType)))
        .isEqualTo(range(Short.MIN_VALUE, Short.MAX_VALUE));
    assertThat(IntegerRange.of(cast(literal(7), DataTypes.ByteType))).isEqualTo(range(7, 7));
  }

  @Test
  void of_sumsThatWrapAround_isAllOfTheType() {
    DeviceExpr sum =
        new Arithmetic(Operator.ADD, INT, literal(5), DataTypes.IntegerType, Mode.LEGACY);

    assertThat(IntegerRange.of(sum)).isEqualTo(range(Integer.MIN_VALUE, Integer.MAX_VALUE));
  }
}
