package io.mooring.stage.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.expr.DeviceExpr;
import io.mooring.expr.DeviceExpr.Comparison;
import io.mooring.expr.DeviceExpr.InputColumn;
import io.mooring.expr.DeviceExpr.Literal;
import io.mooring.expr.Unary;
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
    long one = bytes(new GroupedAggregate(List.of(ID), List.of(sum(1))));
    long three = bytes(new GroupedAggregate(List.of(ID), List.of(sum(1), sum(2), sum(3))));
    assertThat(one).isBetween(16L, 64L);
    assertThat(three - one).isEqualTo(2 * 16);
  }

  @Test
  void equalSums_takeTheirWidthOnce() {
    long one = bytes(new GroupedAggregate(List.of(ID), List.of(sum(1))));
    assertThat(bytes(new GroupedAggregate(List.of(ID), List.of(sum(1), sum(1))))).isEqualTo(one);
  }

  @Test
  void commonExpressions_stayUntilAllColumnsAreThere() {
    DeviceExpr not = unary(Unary.Operator.NOT);
    DeviceExpr missing = unary(Unary.Operator.IS_NULL);
    long alone = bytes(null, new RowOperator.Project(List.of(not)));
    long both = bytes(null, new RowOperator.Project(List.of(not, missing)));
    assertThat(both - alone).isEqualTo(2);
  }

  private static DeviceExpr unary(Unary.Operator operator) {
    return new Unary(operator, IS_FIVE, DataTypes.BooleanType, DeviceExpr.Mode.LEGACY);
  }

  private static BufferFunction sum(int column) {
    return new BufferFunction(
        BufferFunction.Kind.DECIMAL_SUM,
        List.of(new InputColumn(column, PRICE)),
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
