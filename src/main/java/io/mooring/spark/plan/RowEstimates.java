package io.mooring.spark.plan;

import io.mooring.catalyst.ScalaLists;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.catalyst.plans.ExistenceJoin;
import org.apache.spark.sql.catalyst.plans.JoinType;
import org.apache.spark.sql.catalyst.plans.LeftAnti$;
import org.apache.spark.sql.catalyst.plans.LeftSemi$;
import org.apache.spark.sql.catalyst.plans.logical.Aggregate;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.Join;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.types.DataType;

/**
 * Estimates of rows and their bytes: by Spark's row counts where it has them, else by the sizes of
 * files. Spark's own size of a join is the product of its sides, which says nothing about joins by
 * keys.
 */
public final class RowEstimates {
  /** Bytes of decoded rows for each byte of a file: 2 to 4 in TPC-H's tables. */
  static final double DECODED_PER_FILE_BYTE = 3;

  private static final double WORD_BYTES = 8;

  private RowEstimates() {}

  /**
   * The rows of a plan. Filters count as keeping all rows, joins as finding one row for each of the
   * larger side.
   */
  public static double rows(LogicalPlan plan) {
    var known = plan.stats().rowCount();
    if (known.isDefined()) {
      return known.get().toDouble();
    } else if (plan instanceof Join join) {
      double left = rows(join.left());
      return keepsLeft(join.joinType()) ? left : Math.max(left, rows(join.right()));
    } else if (plan instanceof Aggregate aggregate && aggregate.groupingExpressions().isEmpty()) {
      return 1;
    } else if (plan instanceof Project || plan instanceof Filter || plan instanceof Aggregate) {
      return rows(plan.children().head());
    }
    ScanPattern pattern = plan.children().isEmpty() ? ScanPattern.find(plan) : null;
    return pattern == null
        ? plan.stats().sizeInBytes().toDouble() / rowBytes(plan)
        : fileBytes(pattern) * DECODED_PER_FILE_BYTE / valueBytes(outputOf(plan));
  }

  private static boolean keepsLeft(JoinType type) {
    return type == LeftSemi$.MODULE$ || type == LeftAnti$.MODULE$ || type instanceof ExistenceJoin;
  }

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

  /** Bytes of values of columns, side by side. */
  public static double valueBytes(List<Attribute> columns) {
    return Math.max(1, columns.stream().mapToDouble(it -> it.dataType().defaultSize()).sum());
  }

  /** Bytes of the files of a relation. */
  public static double fileBytes(ScanPattern pattern) {
    return pattern.files().location().sizeInBytes();
  }

  /** Bytes of all rows of a plan as Spark passes them on. */
  public static double rowsBytes(LogicalPlan plan) {
    return rows(plan) * rowBytes(plan);
  }

  /** The columns of a plan. */
  public static List<Attribute> outputOf(LogicalPlan plan) {
    return ScalaLists.list(plan.output());
  }
}
