package io.mooring.pushdown.device.ast;

import ai.rapids.cudf.BaseDeviceMemoryBuffer;
import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.DType;
import ai.rapids.cudf.DeviceMemoryBuffer;
import ai.rapids.cudf.Table;
import ai.rapids.cudf.ast.AstExpression;
import ai.rapids.cudf.ast.CompiledExpression;
import io.mooring.pushdown.Column;
import io.mooring.pushdown.Expr;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A condition that libcudf evaluates in one kernel over a table of its inputs. An input is a column
 * of the scan, or a part of the condition that has no equal in cudf's AST and is evaluated first.
 *
 * @param inputs the columns of the table, in order: those of the scan, decimals as their unscaled
 *     integers, and booleans
 */
public record CompiledPredicate(AstExpression expression, List<Expr> inputs) {

  /**
   * The values of the condition; the caller closes them.
   *
   * @param columns the device columns of the scan, which stay the caller's
   * @param values evaluates another input; its column is closed here
   */
  public ColumnVector values(
      Function<Column, ColumnVector> columns, Function<Expr, ColumnVector> values) {
    List<ColumnVector> table = new ArrayList<>();
    try {
      inputs.forEach(input -> table.add(input(input, columns, values)));
      try (Table together = new Table(table.toArray(ColumnVector[]::new));
          CompiledExpression compiled = expression.compile()) {
        return compiled.computeColumn(together);
      }
    } finally {
      table.forEach(ColumnVector::close);
    }
  }

  private static ColumnVector input(
      Expr input, Function<Column, ColumnVector> columns, Function<Expr, ColumnVector> values) {
    if (input instanceof Column column) {
      ColumnVector stored = columns.apply(column);
      return stored.getType().isDecimalType() ? unscaled(stored) : stored.incRefCount();
    }
    return values.apply(input);
  }

  /** The unscaled integers of short decimals, in the same memory, which the decimals own. */
  private static ColumnVector unscaled(ColumnVector decimals) {
    boolean isInt = decimals.getType().getTypeId() == DType.DTypeEnum.DECIMAL32;
    return new ColumnVector(
        isInt ? DType.INT32 : DType.INT64,
        decimals.getRowCount(),
        Optional.of(decimals.getNullCount()),
        borrowed(decimals.getData()),
        borrowed(decimals.getValid()),
        null);
  }

  /** A view of memory, which closing it does not free. */
  private static @Nullable DeviceMemoryBuffer borrowed(@Nullable BaseDeviceMemoryBuffer memory) {
    return memory == null
        ? null
        : DeviceMemoryBuffer.fromRmm(memory.getAddress(), memory.getLength(), 0);
  }
}
