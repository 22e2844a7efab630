package io.mooring.stage.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.expr.DeviceExpr;
import io.mooring.expr.DeviceExpr.Comparison;
import io.mooring.expr.DeviceExpr.InputColumn;
import io.mooring.expr.DeviceExpr.Literal;
import java.util.List;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class OperatorMemoryTest {
  private static final long INPUT = 40;
  private static final DataType PRICE = DataTypes.createDecimalType(15, 2);
  private static final DataType SUM = DataTypes.createDecimalType(25, 2);
  private static final DeviceExpr ID = new InputColumn(0, DataTypes.LongType);
  private static final DeviceExpr IS_FIVE =
      new Comparison(Comparison.Operator.EQUAL, ID, new Literal(5L, DataTypes.LongType));

  @Test
  void columnsThatAreThereTakeNothing() {
    assertThat(bytes(null, new RowOperator.Project(List.of(ID)))).isZero();
    assertThat(bytes(null)).isZero();
  }

  @Test
  void aFilterCopiesTheRows() {
    assertThat(bytes(null, new RowOperator.Filter(IS_FIVE))).isBetween(INPUT, INPUT + 16);
  }

  @Test
  void rowsOfAnOperatorStayWhileTheNextOneWorks() {
    RowOperator project = new RowOperator.Project(List.of(IS_FIVE, IS_FIVE));
    long two = bytes(null, new RowOperator.Filter(IS_FIVE), project);
    assertThat(two).isBetween(INPUT + 2, 2 * INPUT + 16);
    assertThat(two).isGreaterThanOrEqualTo(bytes(null, new RowOperator.Filter(IS_FIVE)));
  }

  @Test
  void eachSumTakesItsWidthForEachRow() {
    long one = bytes(new GroupedAggregate(List.of(ID), List.of(sum())));
    long three = bytes(new GroupedAggregate(List.of(ID), List.of(sum(), sum(), sum())));
    assertThat(one).isBetween(16L, 64L);
    assertThat(three - one).isEqualTo(2 * 16);
  }

  private static BufferFunction sum() {
    return new BufferFunction(
        BufferFunction.Kind.DECIMAL_SUM,
        List.of(new InputColumn(1, PRICE)),
        null,
        List.of(SUM, DataTypes.BooleanType),
        true,
        BufferFunction.ADDED);
  }

  private static long bytes(@Nullable GroupedAggregate aggregate, RowOperator... operators) {
    return OperatorMemory.bytesOfRow(
        new StageProgram(List.of(operators), aggregate, List.of()), INPUT);
  }
}
