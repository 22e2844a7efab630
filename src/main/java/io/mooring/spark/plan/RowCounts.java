package io.mooring.spark.plan;

import io.mooring.catalyst.LogicalOperators;
import io.mooring.catalyst.ScalaLists;
import io.mooring.catalyst.TreeNodes;
import io.mooring.scan.estimate.FooterEstimate;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.plans.LeftExistence;
import org.apache.spark.sql.catalyst.plans.logical.Aggregate;
import org.apache.spark.sql.catalyst.plans.logical.Expand;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.Join;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Union;
import org.apache.spark.sql.execution.adaptive.LogicalQueryStage;
import org.apache.spark.sql.execution.datasources.FileIndex;

/**
 * Estimates of the rows of plans: by Spark's row counts where it has them, else by the footer of a
 * large relation's largest file, else by the sizes of files. Spark's own size of a join is the
 * product of its sides, which says nothing about joins by keys. Remembers plans and files by
 * identity, because joins ask for what is below them again and again, and a file index adds up the
 * sizes of all its files each time. So it belongs to the planning of one query, and to one thread.
 */
public final class RowCounts {
  /** Bytes of decoded rows for each byte of a file: 2 to 4 in TPC-H's tables. */
  static final double DECODED_PER_FILE_BYTE = 3;

  /**
   * Bytes of files from which a footer is read for the number of rows, a request where the files
   * are in an object store. Tables of smaller files are small even if the estimate is three times
   * too large.
   */
  private static final double LARGE_FILES_BYTES = 64 << 20;

  private final Map<LogicalPlan, Double> rows = new IdentityHashMap<>();
  private final Map<LogicalPlan, Double> partitions = new IdentityHashMap<>();
  private final Map<FileIndex, Double> fileBytes = new IdentityHashMap<>();
  private final Map<LogicalPlan, Optional<FooterEstimate>> footers = new IdentityHashMap<>();

  /**
   * The rows of a plan. Filters count as keeping all rows, with the exceptions of {@link
   * FilterSelectivity}, joins as finding one row for each of the larger side, and keys of one
   * relation as having at most as many combinations as it has rows.
   */
  public double rows(LogicalPlan plan) {
    Double known = rows.get(plan);
    if (known == null) {
      known = estimated(plan);
      rows.put(plan, known);
    }
    return known;
  }

  private double estimated(LogicalPlan plan) {
    var known = plan.stats().rowCount();
    if (known.isDefined()) {
      return known.get().toDouble();
    } else if (plan instanceof LogicalQueryStage stage) {
      // It has not run yet, so that nothing more is known than of what it computes.
      return rows(stage.logicalPlan());
    } else if (plan instanceof Join join) {
      double left = rows(join.left());
      return LeftExistence.unapply(join.joinType()).isDefined()
          ? left
          : Math.max(left, rows(join.right()));
    } else if (plan instanceof Aggregate aggregate && aggregate.groupingExpressions().isEmpty()) {
      return 1;
    } else if (plan instanceof Aggregate aggregate) {
      return new GroupEstimate(aggregate.child(), false, this::values, this)
          .groups(ScalaLists.list(aggregate.groupingExpressions()));
    } else if (plan instanceof Expand expand) {
      return rows(expand.child()) * expand.projections().size();
    } else if (plan instanceof Union) {
      return ScalaLists.<LogicalPlan>list(plan.children()).stream().mapToDouble(this::rows).sum();
    } else if (plan instanceof Filter filter) {
      return rows(filter.child()) * share(filter);
    } else if (LogicalOperators.passesRows(plan)) {
      return rows(plan.children().head());
    }
    ScanPattern pattern = plan.children().isEmpty() ? ScanPattern.find(plan) : null;
    return pattern == null
        ? plan.stats().sizeInBytes().toDouble() / RowEstimates.rowBytes(plan)
        : rowsOfFiles(plan, fileBytes(pattern));
  }

  private double rowsOfFiles(LogicalPlan relation, double bytes) {
    return footer(relation, bytes)
        .map(FooterEstimate::rows)
        .orElseGet(
            () ->
                bytes
                    * DECODED_PER_FILE_BYTE
                    / RowEstimates.valueBytes(RowEstimates.outputOf(relation)));
  }

  private Optional<FooterEstimate> footer(LogicalPlan relation, double bytes) {
    return bytes < LARGE_FILES_BYTES
        ? Optional.empty()
        : footers.computeIfAbsent(relation, it -> Optional.ofNullable(RelationFooters.of(it)));
  }

  /** The part of rows that a filter keeps; 1 where nothing is known. */
  private double share(Filter filter) {
    if (filter.child() instanceof Aggregate) {
      return FilterSelectivity.ofGroups(TreeNodes.conjuncts(filter.condition()));
    }
    ScanPattern pattern = ScanPattern.find(filter);
    return pattern == null
        ? 1
        : partitionShare(filter)
            * FilterSelectivity.ofTimes(
                conditions(filter, pattern), footer(pattern.relation(), fileBytes(pattern)));
  }

  /** The part of the files that is in the partitions which a filter selects; 1 for other plans. */
  public double partitionShare(LogicalPlan plan) {
    ScanPattern pattern = plan instanceof Filter ? ScanPattern.find(plan) : null;
    return pattern == null
        ? 1
        : partitions.computeIfAbsent(
            plan,
            it ->
                FilterSelectivity.ofPartitions(
                    conditions((Filter) it, pattern), pattern.files(), fileBytes(pattern)));
  }

  /** The parts of a condition that are on columns of the relation. */
  private static List<Expression> conditions(Filter filter, ScanPattern pattern) {
    return TreeNodes.conjuncts(filter.condition()).stream()
        .filter(it -> it.references().subsetOf(pattern.relation().outputSet()))
        .toList();
  }

  /**
   * The most values of a column of a large relation, whose footer gives its rows too. Sorted files
   * have few of a key's values each, so dictionaries tell nothing.
   */
  private OptionalDouble values(LogicalPlan relation, Attribute column) {
    ScanPattern pattern = ScanPattern.find(relation);
    return pattern == null
        ? OptionalDouble.empty()
        : footer(relation, fileBytes(pattern))
            .map(footer -> footer.most(column.name()))
            .orElseGet(OptionalDouble::empty);
  }

  /** Bytes of all rows of a plan as Spark passes them on. */
  public double rowsBytes(LogicalPlan plan) {
    return rows(plan) * RowEstimates.rowBytes(plan);
  }

  /** Bytes of some columns in the files of a relation, by a footer or else by their types. */
  public double columnBytes(LogicalPlan relation, ScanPattern pattern, List<Attribute> columns) {
    double bytes = fileBytes(pattern);
    double share =
        footer(relation, bytes)
            .map(footer -> footer.share(columns.stream().map(Attribute::name).toList()))
            .orElseGet(
                () ->
                    RowEstimates.valueBytes(columns)
                        / RowEstimates.valueBytes(RowEstimates.outputOf(relation)));
    return bytes * share;
  }

  /** Bytes of the files of a relation. */
  private double fileBytes(ScanPattern pattern) {
    return fileBytes.computeIfAbsent(
        pattern.files().location(), files -> (double) files.sizeInBytes());
  }
}
