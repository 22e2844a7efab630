package io.mooring.pushdown;

import ai.rapids.cudf.BaseDeviceMemoryBuffer;
import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.DType;
import ai.rapids.cudf.DeviceMemoryBuffer;
import ai.rapids.cudf.Table;
import ai.rapids.cudf.ast.AstExpression;
import ai.rapids.cudf.ast.CompiledExpression;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A condition that libcudf evaluates in one kernel over a table of its inputs. An input is a
 * column, or a part of the condition that libcudf's expressions cannot say and that becomes a
 * column first.
 *
 * @param inputs the columns of the table, in order: those of the scan, decimals as their unscaled
 *     integers, and booleans
 */
record FusedCondition(AstExpression expression, List<Expr> inputs) {

  /** The values of the condition; the caller closes them. */
  ColumnVector values(DeviceEvaluator evaluator) {
    List<ColumnVector> columns = new ArrayList<>();
    try {
      inputs.forEach(input -> columns.add(column(input, evaluator)));
      try (Table table = new Table(columns.toArray(ColumnVector[]::new));
          CompiledExpression compiled = expression.compile()) {
        return compiled.computeColumn(table);
      }
    } finally {
      columns.forEach(ColumnVector::close);
    }
  }

  private static ColumnVector column(Expr input, DeviceEvaluator evaluator) {
    if (input instanceof Column column) {
      ColumnVector values = evaluator.columns().column(column.name());
      return values.getType().isDecimalType() ? unscaled(values) : values.incRefCount();
    }
    return evaluator.values(input);
  }

  /** The unscaled integers of short decimals: the same memory, which the decimals keep. */
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

  /** Memory that closing does not free: there is no owner to free. */
  private static @Nullable DeviceMemoryBuffer borrowed(@Nullable BaseDeviceMemoryBuffer memory) {
    return memory == null
        ? null
        : DeviceMemoryBuffer.fromRmm(memory.getAddress(), memory.getLength(), 0);
  }
}
