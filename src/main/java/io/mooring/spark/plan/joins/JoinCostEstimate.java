package io.mooring.spark.plan.joins;

import io.mooring.catalyst.ScalaLists;
import io.mooring.metrics.MetricUnit;
import io.mooring.spark.plan.RowCounts;
import io.mooring.spark.plan.RowEstimates;
import io.mooring.spark.plan.ScanPattern;
import io.mooring.stage.program.OperatorMemory;
import java.util.List;
import java.util.function.LongSupplier;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeSet;
import org.apache.spark.sql.catalyst.expressions.AttributeSet$;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.plans.logical.Join;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;

/**
 * Estimates of what joins cost with and without exchanges, by rows and bytes of their sides.
 * Belongs to one thread, and to the planning of one query.
 */
final class JoinCostEstimate {
  /**
   * The bytes of Parquet files that are read and decoded in the time of one byte through an
   * exchange. Measured with TPC-H at scale 10 on one executor: 0.3 GB/s through exchanges, 10 GB/s
   * and more of files on the GPU. The value suits an object store, which gives 1 to 2 GB/s.
   */
  static final double READ_BYTES_PER_EXCHANGED_BYTE = 4;

  /**
   * Bytes of a hashed relation for each row beside the row: key and address, in a half-empty table.
   */
  static final double HASHED_ROW_BYTES = 40;

  private final LongSupplier executors;
  private final RowCounts counts = new RowCounts();

  /**
   * @param executors that would each read a build side
   */
  JoinCostEstimate(LongSupplier executors) {
    this.executors = executors;
  }

  /** The rows of a plan. */
  double rows(LogicalPlan plan) {
    return counts.rows(plan);
  }

  /** Bytes of the hashed relation of a plan's rows on the host. */
  double relationBytes(LogicalPlan plan) {
    return counts.rows(plan) * (RowEstimates.rowBytes(plan) + HASHED_ROW_BYTES);
  }

  /** Bytes of the hash table of a plan's rows on a device. */
  double tableBytes(LogicalPlan plan) {
    double row = RowEstimates.deviceBytes(RowEstimates.outputOf(plan));
    return counts.rows(plan) * (row + OperatorMemory.HASH_TABLE_BYTES);
  }

  /** Whether reading a side on every executor takes less time than shuffling both. */
  boolean readsForLessThanShuffle(LogicalPlan build, Join join) {
    return readsForLess(build, shuffledBytes(join));
  }

  /** What reading a side would take, where it takes more time than shuffling both. */
  String whyShuffled(LogicalPlan build, Join join) {
    return String.format(
        "to read %s of files on %d executors takes longer than to exchange %s",
        MetricUnit.BYTES.show((long) readBytes(build)),
        executors.getAsLong(),
        MetricUnit.BYTES.show((long) shuffledBytes(join)));
  }

  private double shuffledBytes(Join join) {
    return counts.rowsBytes(join.left()) + counts.rowsBytes(join.right());
  }

  /** Whether reading a side on every executor takes less time than sending it to each. */
  boolean readsForLessThanBroadcast(LogicalPlan build) {
    return readsForLess(build, counts.rowsBytes(build) * executors.getAsLong());
  }

  private boolean readsForLess(LogicalPlan build, double exchanged) {
    // For an exchange, the files are read once as well.
    double readAgain = readBytes(build) * (executors.getAsLong() - 1);
    return readAgain <= exchanged * READ_BYTES_PER_EXCHANGED_BYTE;
  }

  /** Bytes of files that are read for a plan: the share of the columns that it uses. */
  private double readBytes(LogicalPlan plan) {
    AttributeSet used = AttributeSet$.MODULE$.apply(ScalaLists.seq(RowEstimates.outputOf(plan)));
    return readBytes(plan, used);
  }

  private double readBytes(LogicalPlan plan, AttributeSet usedAbove) {
    ScanPattern pattern = plan.children().isEmpty() ? ScanPattern.find(plan) : null;
    if (pattern != null) {
      List<Attribute> read =
          RowEstimates.outputOf(plan).stream().filter(usedAbove::contains).toList();
      return counts.columnBytes(plan, pattern, read);
    }
    AttributeSet used = usedAbove;
    for (Expression expression : ScalaLists.<Expression>list(plan.expressions())) {
      used = used.$plus$plus(expression.references());
    }
    double bytes = 0;
    for (LogicalPlan child : ScalaLists.<LogicalPlan>list(plan.children())) {
      bytes += readBytes(child, used);
    }
    return bytes * counts.partitionShare(plan);
  }
}
