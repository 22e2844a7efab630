package io.mooring.stage.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.expr.Arithmetic;
import io.mooring.expr.Arithmetic.Operator;
import io.mooring.expr.DeviceExpr;
import io.mooring.expr.Unary;
import io.mooring.stage.program.RowOperator.Join;
import io.mooring.stage.program.RowOperator.Join.Kind;
import io.mooring.stage.program.RowOperator.Join.Side;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ScannedKeyTest {
  private static final DeviceExpr COMPUTED = new DeviceExpr.Literal(1, DataTypes.IntegerType);

  private static DeviceExpr column(int ordinal) {
    return new DeviceExpr.InputColumn(ordinal, DataTypes.IntegerType);
  }

  private static Join join(Kind kind, int build, List<DeviceExpr> keys, Join.Column... output) {
    return new Join(
        kind,
        build,
        List.of(DataTypes.IntegerType),
        keys,
        keys.stream().map(key -> column(0)).toList(),
        null,
        List.of(output));
  }

  private static Join.Column streamed(int ordinal) {
    return new Join.Column(Side.STREAMED, ordinal);
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void onlyJoinsThatDropRowsWithoutAMatchHaveKeys(Kind kind) {
    Join join = join(kind, 0, List.of(column(2)), streamed(0));
    boolean drops = kind == Kind.INNER || kind == Kind.SEMI;
    assertThat(ScannedKey.of(List.of(join)))
        .isEqualTo(drops ? List.of(new ScannedKey(join, 0, 2)) : List.of());
  }

  @Test
  void columnsAreFollowedThroughProjectionsFiltersAndJoins() {
    RowOperator.Project project = new RowOperator.Project(List.of(column(5), COMPUTED, column(3)));
    RowOperator.Filter filter = new RowOperator.Filter(column(1));
    Join first =
        join(
            Kind.OUTER,
            0,
            List.of(column(2)),
            new Join.Column(Side.BUILD, 0),
            streamed(2),
            streamed(1),
            streamed(0));
    Join second =
        join(Kind.INNER, 1, List.of(column(0), column(1), column(2), COMPUTED, column(3)));
    assertThat(ScannedKey.of(List.of(project, filter, first, second)))
        .containsExactly(new ScannedKey(second, 1, 3), new ScannedKey(second, 4, 5));
  }

  @ParameterizedTest
  @EnumSource(DeviceExpr.Mode.class)
  void keysBehindWhatCanRaiseAnErrorHideNone(DeviceExpr.Mode mode) {
    DeviceExpr narrowed = new DeviceExpr.Cast(column(0), DataTypes.ByteType, mode);
    DeviceExpr widened = new DeviceExpr.Cast(column(0), DataTypes.LongType, mode);
    Join join = join(Kind.INNER, 0, List.of(column(1)));
    List<ScannedKey> keys = List.of(new ScannedKey(join, 0, 1));
    List<ScannedKey> unlessAnsi = mode == DeviceExpr.Mode.ANSI ? List.of() : keys;
    assertThat(ScannedKey.of(List.of(new RowOperator.Filter(narrowed), join)))
        .isEqualTo(unlessAnsi);
    assertThat(ScannedKey.of(List.of(new RowOperator.Filter(widened), join))).isEqualTo(keys);
    RowOperator.Project project = new RowOperator.Project(List.of(narrowed, column(1)));
    assertThat(ScannedKey.of(List.of(project, join))).isEqualTo(unlessAnsi);
    Join other = join(Kind.INNER, 0, List.of(narrowed), streamed(0), streamed(1));
    assertThat(ScannedKey.of(List.of(other, join))).isEqualTo(unlessAnsi);
  }

  private static DeviceExpr ansi(Arithmetic.Operator operator, DataType type, Object right) {
    return new Arithmetic(
        operator,
        new DeviceExpr.InputColumn(0, type),
        new DeviceExpr.Literal(right, type),
        type,
        DeviceExpr.Mode.ANSI);
  }

  @Test
  void arithmeticThatFitsRaisesNoError() {
    DataType narrow = new DecimalType(10, 2);
    DataType widest = new DecimalType(38, 2);
    assertThat(
            Stream.of(
                ansi(Operator.REMAINDER, DataTypes.LongType, 3L),
                ansi(Operator.INTEGRAL_DIVIDE, DataTypes.LongType, 7L),
                ansi(Operator.DIVIDE, DataTypes.DoubleType, 2.0),
                ansi(Operator.MULTIPLY, DataTypes.FloatType, 2f),
                ansi(Operator.MULTIPLY, narrow, Decimal.apply(1)),
                ansi(Operator.SHIFT_LEFT, DataTypes.IntegerType, 3)))
        .noneMatch(DeviceExpr::canRaise);
    assertThat(
            Stream.of(
                ansi(Operator.REMAINDER, DataTypes.LongType, 0L),
                ansi(Operator.REMAINDER, DataTypes.LongType, null),
                ansi(Operator.INTEGRAL_DIVIDE, DataTypes.LongType, -1L),
                ansi(Operator.DIVIDE, DataTypes.DoubleType, 0.0),
                ansi(Operator.DIVIDE, narrow, Decimal.apply(1)),
                ansi(Operator.ADD, DataTypes.LongType, 1L),
                ansi(Operator.MULTIPLY, widest, Decimal.apply(1))))
        .allMatch(DeviceExpr::canRaise);
  }

  /** Spark rounds the negation of a decimal to 34 digits. */
  @Test
  void negationRaisesAnErrorForIntegersAndLongDecimals() {
    for (DataType type :
        List.of(DataTypes.IntegerType, DataTypes.LongType, new DecimalType(35, 2))) {
      assertThat(negated(type).canRaise()).isTrue();
    }
    for (DataType type : List.of(DataTypes.DoubleType, new DecimalType(34, 2))) {
      assertThat(negated(type).canRaise()).isFalse();
    }
  }

  private static DeviceExpr negated(DataType type) {
    DeviceExpr column = new DeviceExpr.InputColumn(0, type);
    return new Unary(Unary.Operator.NEGATE, column, type, DeviceExpr.Mode.ANSI);
  }

  @Test
  void nothingIsSaidBehindAnExpansion() {
    Join before = join(Kind.SEMI, 0, List.of(column(1)), streamed(0), streamed(1));
    Join after = join(Kind.SEMI, 1, List.of(column(0)), streamed(0));
    RowOperator.Expand expand =
        new RowOperator.Expand(List.of(List.of(column(0)), List.of(column(1))));
    assertThat(ScannedKey.of(List.of(before, expand, after)))
        .containsExactly(new ScannedKey(before, 0, 1));
  }
}
