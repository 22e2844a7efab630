package io.mooring.spark.plan;

import io.mooring.catalyst.ScalaLists;
import io.mooring.stage.program.OperatorMemory;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.types.DataType;

/** Estimates of the bytes of rows. */
public final class RowEstimates {
  private static final double WORD_BYTES = 8;

  private RowEstimates() {}

  /** Bytes of a row as Spark's operators pass it on. */
  public static double rowBytes(LogicalPlan plan) {
    return rowBytes(outputOf(plan));
  }

  /** Bytes of a row of some columns as Spark's operators pass it on. */
  public static double rowBytes(List<Attribute> columns) {
    double bytes = WORD_BYTES;
    for (Attribute column : columns) {
      DataType type = column.dataType();
      bytes += UnsafeRow.isFixedLength(type) ? WORD_BYTES : WORD_BYTES + type.defaultSize();
    }
    return bytes;
  }

  /** Bytes of a row of some columns on a device. */
  public static double deviceBytes(List<Attribute> columns) {
    return columns.stream().mapToDouble(it -> OperatorMemory.bytes(it.dataType())).sum();
  }

  /** Bytes of values of columns, side by side. */
  public static double valueBytes(List<Attribute> columns) {
    return Math.max(1, columns.stream().mapToDouble(it -> it.dataType().defaultSize()).sum());
  }

  /** The columns of a plan. */
  public static List<Attribute> outputOf(LogicalPlan plan) {
    return ScalaLists.list(plan.output());
  }
}
