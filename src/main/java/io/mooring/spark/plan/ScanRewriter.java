package io.mooring.spark.plan;

import io.mooring.catalyst.FailingConstants;
import io.mooring.catalyst.ScalaLists;
import io.mooring.catalyst.TreeNodes;
import io.mooring.datasource.MooringTable;
import io.mooring.datasource.RuntimePrunedScan;
import io.mooring.scan.delta.DeltaFormat;
import io.mooring.scan.split.FilesWithMetadata;
import io.mooring.scan.split.FilteredFileIndex;
import io.mooring.spark.plan.explain.ExplainedParquetFormat;
import java.lang.reflect.Constructor;
import java.util.Arrays;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.execution.datasources.FileFormat;
import org.apache.spark.sql.execution.datasources.FileIndex;
import org.apache.spark.sql.execution.datasources.HadoopFsRelation;
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Relation;
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2ScanRelation;
import org.apache.spark.sql.execution.datasources.v2.V2ScanRelationPushDown$;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import scala.Option;
import scala.collection.immutable.Seq;

/**
 * Rewrites a pattern over Spark's relation as one over a scan of Mooring, and pushes down all that
 * the scan evaluates.
 */
public final class ScanRewriter {
  private static final String NOT_PUSHED = "Spark cannot push down an expression of this query";

  private final SparkSession session;
  private final ScanPattern pattern;

  public ScanRewriter(SparkSession session, ScanPattern pattern) {
    this.session = session;
    this.pattern = pattern;
  }

  /**
   * The pattern over our scan.
   *
   * @throws UnsupportedScanException with the reason, when Spark reads the relation
   */
  LogicalPlan rewritten() throws UnsupportedScanException {
    ScanFilters filters = ScanFilters.of(session, pattern);
    new ScanEligibility(pattern, filters).check();
    return rewritten(filters);
  }

  private LogicalPlan rewritten(ScanFilters filters) throws UnsupportedScanException {
    FileIndex index =
        DeltaFormat.is(pattern.files().fileFormat())
            ? new FilteredFileIndex.TableFormatFileIndex(
                pattern.files().location(),
                filters.listing(),
                DeltaFormat.asked(
                    FilesWithMetadata.listing(pattern.files().location()), filters.files()))
            : FilteredFileIndex.PartitionFileIndex.of(
                pattern.files().location(), filters.listing());
    HadoopFsRelation files = with(index, pattern.files().fileFormat());
    LogicalPlan pushed = ConditionOrder.restored(pushed(files, filters), filters.rows());
    DataSourceV2ScanRelation relation = (DataSourceV2ScanRelation) pushed.collectLeaves().head();
    if (relation.scan().columnarSupportMode() == Scan.ColumnarSupportMode.UNSUPPORTED) {
      throw new UnsupportedScanException("Spark has no batches for the columns of this query");
    }
    return filters.runtime().isEmpty()
        ? pushed
        : prunedAtRunTime(pushed, relation, RuntimePruning.of(filters, pattern));
  }

  /**
   * Whether our scan evaluates the pattern's aggregate and all filters. A table format may have yet
   * to choose the files.
   *
   * @throws UnsupportedScanException with the reason, when Spark reads the relation
   */
  public boolean isEvaluated() throws UnsupportedScanException {
    ScanFilters filters = ScanFilters.of(session, pattern);
    new ScanEligibility(pattern, filters).checkBeforeListing();
    return isAggregated(rewritten(filters));
  }

  /** Whether the scan returns results of an aggregate instead of columns of the relation. */
  private boolean isAggregated(LogicalPlan pushed) {
    return !pushed
        .collectLeaves()
        .head()
        .outputSet()
        .exists(pattern.relation().outputSet()::contains);
  }

  private LogicalPlan pushed(HadoopFsRelation files, ScanFilters filters)
      throws UnsupportedScanException {
    UnscaledDecimals unscaled = UnscaledDecimals.of(pattern);
    if (!unscaled.isEmpty()) {
      LogicalPlan table =
          tableOf(new MooringTable(files, unscaled.schema()), ScalaLists.seq(unscaled.output()));
      LogicalPlan pushed = pushedDown(unscaled.in(pattern.over(filters.over(table))));
      // Without the aggregate, the stand-in columns must not be read: no file has them.
      if (pushed.collectLeaves().head().output().forall(it -> !unscaled.contains(it))) {
        return pushed;
      }
    }
    LogicalPlan table = tableOf(new MooringTable(files), pattern.relation().output());
    return pushedDown(pattern.over(filters.over(table)));
  }

  /**
   * Runs Spark's push-down. It asserts that each condition has a V2 form, which some on nulls have
   * not, and its stack ends at fewer nested operands there than elsewhere.
   */
  private static LogicalPlan pushedDown(LogicalPlan plan) throws UnsupportedScanException {
    if (FailingConstants.arePushedDown(plan)) {
      throw new UnsupportedScanException(NOT_PUSHED);
    }
    try {
      return V2ScanRelationPushDown$.MODULE$.apply(plan);
    } catch (AssertionError | StackOverflowError e) {
      throw new UnsupportedScanException(NOT_PUSHED);
    }
  }

  private static LogicalPlan prunedAtRunTime(
      LogicalPlan plan, DataSourceV2ScanRelation relation, RuntimePruning pruning) {
    Scan scan = RuntimePrunedScan.of(relation.scan(), pruning.conditions());
    LogicalPlan other =
        TreeNodes.copy((LogicalPlan) relation, part -> part == relation.scan() ? scan : part);
    return TreeNodes.replaceEnd(plan, relation, TreeNodes.filtered(other, pruning.filters()));
  }

  /** The pattern over Spark's relation, which shows the reason wherever the plan is shown. */
  LogicalPlan explained(String reason) {
    HadoopFsRelation files = with(pattern.files().location(), new ExplainedParquetFormat(reason));
    LogicalPlan relation =
        TreeNodes.copy(pattern.relation(), part -> part == pattern.files() ? files : part);
    return TreeNodes.replaceEnd(pattern.root(), pattern.relation(), relation);
  }

  private HadoopFsRelation with(FileIndex location, FileFormat format) {
    HadoopFsRelation files = pattern.files();
    return new HadoopFsRelation(
        location,
        files.partitionSchema(),
        files.dataSchema(),
        files.bucketSpec(),
        format,
        files.options(),
        files.sparkSession());
  }

  /** A relation for a table, by a constructor that has one more parameter from Spark 4.1 on. */
  private static LogicalPlan tableOf(MooringTable table, Seq<? extends Attribute> output) {
    Constructor<?> constructor = DataSourceV2Relation.class.getConstructors()[0];
    Object[] arguments = new Object[constructor.getParameterCount()];
    Arrays.fill(arguments, Option.empty());
    arguments[0] = table;
    arguments[1] = output;
    arguments[4] = CaseInsensitiveStringMap.empty();
    try {
      return (LogicalPlan) constructor.newInstance(arguments);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(
          "Mooring does not know DataSourceV2Relation of this Spark version", e);
    }
  }
}
