package io.mooring.spark.plan.aggregates;

import io.mooring.catalyst.ScalaLists;
import io.mooring.metrics.MetricUnit;
import io.mooring.spark.plan.GroupEstimate.ColumnValues;
import io.mooring.spark.plan.RowCounts;
import io.mooring.spark.plan.RowEstimates;
import io.mooring.spark.plan.SingleTaskConf;
import io.mooring.stage.program.FinalStageChain;
import io.mooring.stage.program.GroupSources;
import io.mooring.stage.program.JoinSides;
import io.mooring.stage.program.StageChain;
import java.util.List;
import java.util.Locale;
import org.apache.spark.sql.catalyst.plans.InnerLike;
import org.apache.spark.sql.catalyst.plans.LeftOuter$;
import org.apache.spark.sql.catalyst.plans.RightOuter$;
import org.apache.spark.sql.catalyst.plans.logical.Aggregate;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.connector.read.SupportsReportStatistics;
import org.apache.spark.sql.execution.FilterExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.aggregate.BaseAggregateExec;
import org.apache.spark.sql.execution.datasources.v2.BatchScanExec;
import org.apache.spark.sql.execution.joins.BroadcastHashJoinExec;
import org.apache.spark.sql.execution.window.WindowGroupLimitExec;
import org.jspecify.annotations.Nullable;

/**
 * Estimates whether one task computes an aggregate in less time than tasks on all executors that
 * exchange partial groups. Immutable.
 *
 * @param executors that would share the reading
 * @param mostBytes that groups may take on a device
 */
record SingleTaskCost(long executors, long mostBytes) {
  /**
   * The bytes of Parquet files that are read in the time of one byte through an exchange, as for
   * joins.
   */
  static final double READ_BYTES_PER_EXCHANGED_BYTE = 4;

  /**
   * The bytes of files that are read in the time that an exchange takes at least, some 50 ms of
   * scheduling, at the 1 to 2 GB/s of an object store.
   */
  static final double EXCHANGE_BYTES = 64L << 20;

  /**
   * The rows that one task passes on in no more time than several tasks pass them through an
   * exchange.
   */
  static final double MOST_ROWS = 4_000_000;

  /**
   * Why groups are exchanged; empty where one task takes less time.
   *
   * @param few whether what is above takes few of the rows, or puts all in one order
   * @param mostRows that may leave the chain
   */
  String exchangeReason(FinalStageChain chain, boolean few, double mostRows) {
    Aggregate first = aggregate((BaseAggregateExec) chain.groups());
    Aggregate last = lastAggregate(chain);
    if (first == null || last == null) {
      return "the plan does not tell how many groups there are";
    }
    List<BatchScanExec> scans =
        GroupSources.chains(chain.groups()).stream().map(StageChain::scan).toList();
    ChainGroups groups =
        new ChainGroups(chain, first, last, scans.size(), few, mostRows, new RowCounts());
    ColumnValues files = new FileValues(scans);
    double read = scans.stream().mapToDouble(SingleTaskCost::readBytes).sum();
    return readsForLess(read, groups, files)
        ? unfitReason(groups, files)
        : String.format(
            "to read %s of files on one of %d executors takes longer than to exchange %s",
            bytes(read), executors, bytes(groups.knownBytes(files)));
  }

  private static String bytes(double bytes) {
    return MetricUnit.BYTES.show((long) bytes);
  }

  /** Whether one executor reads for less; files are only asked where their answer decides. */
  private boolean readsForLess(double read, ChainGroups groups, ColumnValues files) {
    return readsForLess(read, 0)
        || (readsForLess(read, groups.knownBytes(ColumnValues.MOST))
            && readsForLess(read, groups.knownBytes(files)));
  }

  /**
   * Why groups do not fit a task; empty where they do. Files are only asked where their answer
   * decides.
   */
  private String unfitReason(ChainGroups groups, ColumnValues files) {
    String fewest = unfitReasonBy(groups, ColumnValues.FEWEST);
    return fewest.isEmpty() && !unfitReasonBy(groups, ColumnValues.MOST).isEmpty()
        ? unfitReasonBy(groups, files)
        : fewest;
  }

  private String unfitReasonBy(ChainGroups groups, ColumnValues columns) {
    FinalStageChain chain = groups.chain();
    double bytes = groups.partial(columns) * rowBytes(chain);
    if (bytes > mostBytes) {
      return String.format(
          "groups of %s, and the GPU has room for %s", bytes(bytes), bytes(mostBytes));
    } else if (selects(chain, groups.few())) {
      return "";
    }
    double rows = groups.results(columns);
    double most = mostRows(groups);
    return rows <= most
        ? ""
        : String.format(
            Locale.ROOT, "%,.0f rows of results, and one task passes on %,.0f", rows, most);
  }

  /** The rows that may leave a chain; fewer where a join may find several for each group. */
  private static double mostRows(ChainGroups groups) {
    boolean grows = mayGrow(groups.chain());
    return grows
        ? Math.min(groups.mostRows(), SingleTaskConf.MOST_ROWS_COMPUTED)
        : groups.mostRows();
  }

  /** Whether the rows of a join leave a chain, and not only aggregates of them. */
  private static boolean mayGrow(FinalStageChain chain) {
    boolean grows = false;
    for (SparkPlan operator : chain.operators()) {
      grows = !(operator instanceof BaseAggregateExec) && (grows || mayFindSeveral(operator));
    }
    return grows;
  }

  /**
   * The rows that a side of a full outer join may have: any number if few rows leave the chain, or
   * if a join's rows do not leave it.
   */
  static double mostSideRows(FinalStageChain chain, boolean few) {
    return selects(chain, few) || !mayGrow(chain)
        ? Double.MAX_VALUE
        : SingleTaskConf.MOST_ROWS_COMPUTED;
  }

  private static boolean mayFindSeveral(SparkPlan operator) {
    return JoinSides.isFullOuter(operator)
        || (operator instanceof BroadcastHashJoinExec join
            && (join.joinType() instanceof InnerLike
                || join.joinType().equals(LeftOuter$.MODULE$)
                || join.joinType().equals(RightOuter$.MODULE$)));
  }

  /** Whether few results leave a chain however many groups there are. */
  private static boolean selects(FinalStageChain chain, boolean few) {
    boolean having = false;
    boolean limited = false;
    boolean ranked = false;
    for (SparkPlan operator : chain.operators()) {
      boolean keeps = !(operator instanceof BaseAggregateExec) && !mayFindSeveral(operator);
      having = operator instanceof FilterExec || (having && keeps);
      limited =
          ParentRequirements.limits(operator)
              || (ranked && operator instanceof FilterExec)
              || (limited && keeps);
      ranked = limitsRanks(operator) || (ranked && keeps);
    }
    return limited || (few && having);
  }

  /** Whether the filter above an operator and its window keeps some of the first of all rows. */
  private static boolean limitsRanks(SparkPlan operator) {
    return operator instanceof WindowGroupLimitExec ranks && ranks.partitionSpec().isEmpty();
  }

  /**
   * Whether one executor reads files in the time in which all read them and exchange groups.
   *
   * @param read bytes of files
   * @param exchanged bytes of groups
   */
  boolean readsForLess(double read, double exchanged) {
    return read * (1 - 1.0 / executors)
        <= EXCHANGE_BYTES + exchanged * READ_BYTES_PER_EXCHANGED_BYTE;
  }

  private static double readBytes(BatchScanExec scan) {
    return scan.scan() instanceof SupportsReportStatistics known
        ? known.estimateStatistics().sizeInBytes().orElse(Long.MAX_VALUE)
        : Long.MAX_VALUE;
  }

  private static double rowBytes(FinalStageChain chain) {
    return RowEstimates.rowBytes(ScalaLists.list(chain.groups().output()));
  }

  private static @Nullable Aggregate lastAggregate(FinalStageChain chain) {
    Aggregate last = null;
    for (SparkPlan operator : chain.operators()) {
      if (operator instanceof BaseAggregateExec aggregate) {
        last = aggregate(aggregate);
      }
    }
    return last;
  }

  private static @Nullable Aggregate aggregate(BaseAggregateExec node) {
    LogicalPlan link = ((SparkPlan) node).logicalLink().getOrElse(() -> null);
    return link instanceof Aggregate aggregate ? aggregate : null;
  }
}
