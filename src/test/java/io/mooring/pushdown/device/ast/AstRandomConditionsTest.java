package io.mooring.pushdown.device.ast;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.pushdown.Expr;
import io.mooring.pushdown.RandomExprs;
import io.mooring.pushdown.RandomRows;
import io.mooring.pushdown.RowColumns;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.apache.spark.sql.types.Decimal;
import org.junit.jupiter.api.Test;

/** What conditions are translated to, with libcudf's rules as they are known, without a device. */
class AstRandomConditionsTest {
  private static final int CASES = 2_000;
  private static final int ROWS = 20;
  private static final int DEEPEST = 8;

  private final long seed = Long.getLong("mooring.test.seed", System.nanoTime());
  private final RandomRows table;
  private final Random random = new Random(seed);

  AstRandomConditionsTest() {
    System.out.println("AstRandomConditionsTest seed " + seed);
    table = new RandomRows(random, ROWS, 0.2);
  }

  private static CompiledPredicate fused(Expr condition) {
    return new AstCompiler(RandomRows::type).translate(condition);
  }

  @Test
  void expressionsAreTrueWhereTheirConditionsAre() {
    RandomExprs exprs = new RandomExprs(random);
    int fused = 0;
    int split = 0;
    for (int i = 0; i < CASES; i++) {
      Expr condition = exprs.condition(random.nextInt(DEEPEST));
      CompiledPredicate one = fused(condition);
      if (one != null) {
        fused++;
        split += one.inputs().stream().anyMatch(input -> fused(input) != null) ? 1 : 0;
        assertSame("seed " + seed + ", case " + i, condition, one);
      }
    }
    assertThat(fused).isGreaterThan(CASES / 4);
    assertThat(split).isPositive();
  }

  private void assertSame(String which, Expr condition, CompiledPredicate fused) {
    for (int row = 0; row < ROWS; row++) {
      RowColumns values = table.row(row);
      List<Object> inputs =
          fused.inputs().stream()
              .map(input -> number(input.onRow(values)))
              .collect(Collectors.toList());
      assertThat(AstOnRow.value(fused.expression(), inputs))
          .as("%s%n%s%nas %s%nof row %s", which, condition, fused, table.text(row))
          .isEqualTo(condition.onRow(values));
    }
  }

  /** A value as {@link AstOnRow} has it. */
  private static Object number(Object value) {
    if (value instanceof Decimal decimal) {
      return decimal.toUnscaledLong();
    } else if (value instanceof Float || value instanceof Double) {
      return ((Number) value).doubleValue();
    }
    return value instanceof Number integer ? (Object) integer.longValue() : value;
  }
}
