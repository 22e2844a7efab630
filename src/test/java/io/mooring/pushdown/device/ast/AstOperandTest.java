package io.mooring.pushdown.device.ast;

import static org.assertj.core.api.Assertions.assertThat;

import ai.rapids.cudf.DType;
import ai.rapids.cudf.ast.Literal;
import io.mooring.pushdown.Constant;
import java.math.BigDecimal;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AstOperandTest {
  private static final int INT_DIGITS = 9;
  private static final int LONG_DIGITS = 18;

  /** Type and bytes of a literal; literals have no equality. */
  private static String literal(Object value, DataType type, DType as) {
    return String.valueOf(AstOperand.literal(new Constant(value, type), as));
  }

  private static String decimal(String value, DType as) {
    BigDecimal number = new BigDecimal(value);
    int precision = Math.max(number.precision(), number.scale());
    return literal(
        Decimal.apply(number, precision, number.scale()),
        DataTypes.createDecimalType(precision, number.scale()),
        as);
  }

  private static DType decimal(DType.DTypeEnum width, int scale) {
    return DType.create(width, -scale);
  }

  @Test
  void aValueIsALiteralOfItsColumnsType() {
    assertThat(literal(true, DataTypes.BooleanType, DType.BOOL8))
        .isEqualTo(Literal.ofBoolean(true).toString());
    assertThat(literal((byte) -3, DataTypes.ByteType, DType.INT8))
        .isEqualTo(Literal.ofByte((byte) -3).toString());
    assertThat(literal((short) 300, DataTypes.ShortType, DType.INT16))
        .isEqualTo(Literal.ofShort((short) 300).toString());
    assertThat(literal(70_000, DataTypes.IntegerType, DType.INT32))
        .isEqualTo(Literal.ofInt(70_000).toString());
    assertThat(literal(1L << 40, DataTypes.LongType, DType.INT64))
        .isEqualTo(Literal.ofLong(1L << 40).toString());
    assertThat(literal(-0.0f, DataTypes.FloatType, DType.FLOAT32))
        .isEqualTo(Literal.ofFloat(-0.0f).toString());
    assertThat(literal(Double.POSITIVE_INFINITY, DataTypes.DoubleType, DType.FLOAT64))
        .isEqualTo(Literal.ofDouble(Double.POSITIVE_INFINITY).toString());
    assertThat(literal(-1, DataTypes.DateType, DType.TIMESTAMP_DAYS))
        .isEqualTo(Literal.ofTimestampDaysFromInt(-1).toString());
    assertThat(literal(5L, DataTypes.TimestampType, DType.TIMESTAMP_MICROSECONDS))
        .isEqualTo(Literal.ofTimestampFromLong(DType.TIMESTAMP_MICROSECONDS, 5L).toString());
  }

  @Test
  void thereIsNoneOfNullAndNan() {
    assertThat(literal(null, DataTypes.IntegerType, DType.INT32)).isEqualTo("null");
    assertThat(literal(Float.NaN, DataTypes.FloatType, DType.FLOAT32)).isEqualTo("null");
    assertThat(literal(Double.NaN, DataTypes.DoubleType, DType.FLOAT64)).isEqualTo("null");
  }

  @Test
  void thereIsNoneOfAnotherTypeThanTheColumns() {
    assertThat(literal(1, DataTypes.IntegerType, DType.INT64)).isEqualTo("null");
    assertThat(literal(1L, DataTypes.TimestampType, DType.TIMESTAMP_MILLISECONDS))
        .isEqualTo("null");
    assertThat(literal(UTF8String.fromString("a"), DataTypes.StringType, DType.STRING))
        .isEqualTo("null");
  }

  @ParameterizedTest
  @CsvSource({"12.34,1234", "-0.01,-1", "21474836.47,2147483647", "-21474836.48,-2147483648"})
  void aDecimalIsItsUnscaledInteger(String value, int unscaled) {
    assertThat(decimal(value, decimal(DType.DTypeEnum.DECIMAL32, 2)))
        .isEqualTo(Literal.ofInt(unscaled).toString());
    assertThat(decimal(value, decimal(DType.DTypeEnum.DECIMAL64, 2)))
        .isEqualTo(Literal.ofLong(unscaled).toString());
  }

  @Test
  void thereIsNoneOfADecimalThatTheColumnDoesNotHold() {
    assertThat(decimal("21474836.48", decimal(DType.DTypeEnum.DECIMAL32, 2))).isEqualTo("null");
    assertThat(decimal("92233720368547758.08", decimal(DType.DTypeEnum.DECIMAL64, 2)))
        .isEqualTo("null");
    assertThat(decimal("1.2", decimal(DType.DTypeEnum.DECIMAL32, 2))).isEqualTo("null");
    assertThat(decimal("1.234", decimal(DType.DTypeEnum.DECIMAL64, 2))).isEqualTo("null");
    assertThat(decimal("1.23", decimal(DType.DTypeEnum.DECIMAL128, 2))).isEqualTo("null");
    assertThat(decimal("5", DType.INT32)).isEqualTo("null");
  }

  @Test
  void longDecimalsInSparksFormAreTheSame() {
    DType wide = decimal(DType.DTypeEnum.DECIMAL64, 2);
    DataType type = DataTypes.createDecimalType(LONG_DIGITS, 2);
    assertThat(literal(Decimal.apply(1234L, LONG_DIGITS, 2), type, wide))
        .isEqualTo(Literal.ofLong(1234).toString());
    assertThat(
            literal(
                Decimal.apply(1234L, INT_DIGITS, 2),
                DataTypes.createDecimalType(INT_DIGITS, 2),
                decimal(DType.DTypeEnum.DECIMAL32, 2)))
        .isEqualTo(Literal.ofInt(1234).toString());
  }
}
