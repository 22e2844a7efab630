package io.mooring.spark.plan.joins;

import io.mooring.catalyst.ScalaLists;
import io.mooring.spark.plan.ScanPattern;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeSet;
import org.apache.spark.sql.catalyst.expressions.AttributeSet$;
import org.apache.spark.sql.catalyst.expressions.Expression;
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
 * Estimates of rows and bytes of the sides of joins: by Spark's row counts where it has them, else
 * by the sizes of files. Spark's own size of a join is the product of its sides, which says nothing
 * about joins by keys. Immutable.
 *
 * @param executors that would each read a build side
 */
record JoinCostEstimate(long executors) {
  /**
   * The bytes of Parquet files that are read and decoded in the time of one byte through an
   * exchange. Measured with TPC-H at scale 10 on one executor: 0.3 GB/s through exchanges, 10 GB/s
   * and more of files on the GPU. The value suits an object store, which gives 1 to 2 GB/s.
   */
  static final double READ_BYTES_PER_EXCHANGED_BYTE = 4;

  /** Bytes of decoded rows for each byte of a file: 2 to 4 in TPC-H's tables. */
  static final double DECODED_PER_FILE_BYTE = 3;

  /**
   * Bytes of a hashed relation for each row beside the row: key and address, in a half-empty table.
   */
  static final double HASHED_ROW_BYTES = 40;

  /**
   * The bytes of a hashed relation from which every executor reads it in less time than a broadcast
   * takes: the driver collects and hashes 2 to 5 million rows a second on one thread.
   */
  static final double BROADCAST_BYTES = 4L << 20;

  private static final double WORD_BYTES = 8;

  /** Bytes of the hashed relation of a plan's rows on the host. */
  double relationBytes(LogicalPlan plan) {
    return rows(plan) * (rowBytes(plan) + HASHED_ROW_BYTES);
  }

  /** Whether reading a side on every executor takes less time than shuffling both. */
  boolean readsForLessThanShuffle(LogicalPlan build, Join join) {
    return readsForLess(build, rowsBytes(join.left()) + rowsBytes(join.right()));
  }

  /** Whether reading a side on every executor takes less time than sending it to each. */
  boolean readsForLessThanBroadcast(LogicalPlan build) {
    return readsForLess(build, rowsBytes(build) * executors);
  }

  private boolean readsForLess(LogicalPlan build, double exchanged) {
    return readBytes(build) * executors <= exchanged * READ_BYTES_PER_EXCHANGED_BYTE;
  }

  private static double rowsBytes(LogicalPlan plan) {
    return rows(plan) * rowBytes(plan);
  }

  /** Filters count as keeping all rows, joins as finding one row for each of the larger side. */
  static double rows(LogicalPlan plan) {
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
  private static double rowBytes(LogicalPlan plan) {
    double bytes = WORD_BYTES;
    for (Attribute column : outputOf(plan)) {
      DataType type = column.dataType();
      bytes += UnsafeRow.isFixedLength(type) ? WORD_BYTES : WORD_BYTES + type.defaultSize();
    }
    return bytes;
  }

  private static double valueBytes(List<Attribute> columns) {
    return Math.max(1, columns.stream().mapToDouble(it -> it.dataType().defaultSize()).sum());
  }

  private static double fileBytes(ScanPattern pattern) {
    return pattern.files().location().sizeInBytes();
  }

  /** Bytes of files that are read for a plan: the share of the columns that it uses. */
  private static double readBytes(LogicalPlan plan) {
    AttributeSet used = AttributeSet$.MODULE$.apply(ScalaLists.seq(outputOf(plan)));
    return readBytes(plan, used);
  }

  private static double readBytes(LogicalPlan plan, AttributeSet usedAbove) {
    ScanPattern pattern = plan.children().isEmpty() ? ScanPattern.find(plan) : null;
    if (pattern != null) {
      List<Attribute> read = outputOf(plan).stream().filter(usedAbove::contains).toList();
      return fileBytes(pattern) * valueBytes(read) / valueBytes(outputOf(plan));
    }
    AttributeSet used = usedAbove;
    for (Expression expression : ScalaLists.<Expression>list(plan.expressions())) {
      used = used.$plus$plus(expression.references());
    }
    double bytes = 0;
    for (LogicalPlan child : ScalaLists.<LogicalPlan>list(plan.children())) {
      bytes += readBytes(child, used);
    }
    return bytes;
  }

  private static List<Attribute> outputOf(LogicalPlan plan) {
    return ScalaLists.list(plan.output());
  }
}
