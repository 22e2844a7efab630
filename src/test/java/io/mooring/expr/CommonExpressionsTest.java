package io.mooring.expr;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.expr.DeviceExpr.Comparison;
import io.mooring.expr.DeviceExpr.InputColumn;
import io.mooring.expr.DeviceExpr.Literal;
import io.mooring.expr.DeviceExpr.Logical;
import java.time.ZoneOffset;
import java.util.List;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.Test;

class CommonExpressionsTest {
  private static final DeviceExpr COLUMN = new InputColumn(0, DataTypes.LongType);

  @Test
  void columnsAndConstants_areNotCommon() {
    assertThat(common(COLUMN, COLUMN, isEqual(1), isEqual(2), isEqual(3))).isEmpty();
    Literal one = new Literal(1L, DataTypes.LongType);
    assertThat(common(one, one)).isEmpty();
  }

  @Test
  void whatOccursInTwoExpressions_isCommon() {
    assertThat(common(and(isEqual(1), isEqual(2)), and(isEqual(1), isEqual(3))))
        .containsExactly(isEqual(1));
    assertThat(common(isEqual(1), and(isEqual(2), isEqual(1)))).containsExactly(isEqual(1));
  }

  @Test
  void whatOccursTwiceInOneExpression_isCommon() {
    assertThat(common(and(isEqual(1), isEqual(1)))).containsExactly(isEqual(1));
  }

  /** Its parts are computed only for it, unless they occur elsewhere too. */
  @Test
  void partsOfACommonExpression_areCommonOnlyWhereTheyOccurElsewhere() {
    DeviceExpr both = and(isEqual(1), isEqual(2));
    assertThat(common(both, both)).containsExactly(both);
    assertThat(common(both, both, isEqual(2))).containsExactlyInAnyOrder(both, isEqual(2));
  }

  @Test
  void expressionsOfTwoModes_areDifferent() {
    DeviceExpr asInt =
        new DeviceExpr.Cast(COLUMN, DataTypes.IntegerType, DeviceExpr.Mode.ANSI, ZoneOffset.UTC);
    DeviceExpr asIntOrNull =
        new DeviceExpr.Cast(COLUMN, DataTypes.IntegerType, DeviceExpr.Mode.TRY, ZoneOffset.UTC);
    assertThat(common(asInt, asIntOrNull)).isEmpty();
  }

  private static List<DeviceExpr> common(DeviceExpr... expressions) {
    return List.copyOf(CommonExpressions.of(List.of(expressions)).all());
  }

  private static DeviceExpr isEqual(long value) {
    return new Comparison(
        Comparison.Operator.EQUAL, COLUMN, new Literal(value, DataTypes.LongType));
  }

  private static DeviceExpr and(DeviceExpr left, DeviceExpr right) {
    return new Logical(true, left, right);
  }
}
