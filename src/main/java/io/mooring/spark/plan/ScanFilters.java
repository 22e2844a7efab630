package io.mooring.spark.plan;

import io.mooring.catalyst.ScalaLists;
import io.mooring.catalyst.TreeNodes;
import io.mooring.scan.iceberg.IcebergFiles;
import io.mooring.scan.iceberg.IcebergFormat;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.catalyst.expressions.AttributeSet;
import org.apache.spark.sql.catalyst.expressions.AttributeSet$;
import org.apache.spark.sql.catalyst.expressions.DynamicPruningSubquery;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.SubqueryExpression;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.execution.datasources.DataSourceStrategy;
import org.apache.spark.sql.execution.datasources.DataSourceStrategy$;
import org.apache.spark.sql.types.StructType;
import scala.collection.immutable.Seq;

/**
 * The conditions on a relation by their use, as Spark's own file scans divide them.
 *
 * @param listing conditions on partition columns, by which files are listed
 * @param files the other conditions, by which statistics of a file can rule it out
 * @param rows conditions to be checked on rows, and dynamic pruning of partitions
 * @param dynamic whether there is dynamic pruning
 */
public record ScanFilters(
    List<Expression> listing, List<Expression> files, List<Expression> rows, boolean dynamic) {

  /**
   * Divides the conditions of a pattern.
   *
   * @throws UnsupportedScanException when partitions are pruned by a condition that our scan cannot
   *     evaluate
   */
  public static ScanFilters of(SparkSession session, ScanPattern pattern)
      throws UnsupportedScanException {
    Seq<Expression> columns = partitionColumns(session, pattern);
    AttributeSet partition = AttributeSet$.MODULE$.apply(columns);
    // Iceberg has listed the files by all of its conditions already.
    boolean planned = IcebergFormat.is(pattern.files().fileFormat());
    List<Expression> known = new ArrayList<>();
    List<Expression> rows = new ArrayList<>();
    boolean dynamic = false;
    for (Expression condition : pattern.conditions()) {
      boolean pruning =
          isOn(condition, partition) && (!planned || condition instanceof DynamicPruningSubquery);
      boolean subquery = SubqueryExpression.hasSubquery(condition);
      if (!pruning && condition instanceof DynamicPruningSubquery) {
        // It prunes partitions of another child of a union above, whose join checks the same.
        continue;
      }
      if (pruning && subquery) {
        checkDynamic(condition);
        dynamic = true;
      } else if (condition.deterministic() && !subquery) {
        known.add(condition);
      }
      if (!pruning || subquery) {
        rows.add(condition);
      }
    }
    var normalized =
        DataSourceStrategy$.MODULE$.normalizeExprs(
            ScalaLists.seq(known),
            ScalaLists.seq(ScalaLists.<Attribute>list(pattern.relation().output())));
    var listing =
        DataSourceStrategy.getPushedDownFilters(planned ? ScalaLists.empty() : columns, normalized);
    List<Expression> files =
        ScalaLists.<Expression>list(normalized).stream()
            .filter(it -> !isOn(it, partition))
            .toList();
    return new ScanFilters(ScalaLists.list(listing.toSeq()), files, rows, dynamic);
  }

  private static Seq<Expression> partitionColumns(SparkSession session, ScanPattern pattern) {
    StructType schema =
        pattern.files().location() instanceof IcebergFiles iceberg
            ? iceberg.scan().filterColumns()
            : pattern.files().partitionSchema();
    return ScalaLists.seq(
        ScalaLists.<Expression>list(
            pattern.relation().resolve(schema, session.sessionState().analyzer().resolver())));
  }

  private static boolean isOn(Expression condition, AttributeSet columns) {
    return condition.deterministic()
        && condition.references().nonEmpty()
        && condition.references().subsetOf(columns);
  }

  private static void checkDynamic(Expression condition) throws UnsupportedScanException {
    if (!(condition instanceof DynamicPruningSubquery pruning)) {
      throw new UnsupportedScanException("a partition column is compared with a sub-query");
    } else if (!(pruning.pruningKey() instanceof AttributeReference)) {
      throw new UnsupportedScanException("partitions are pruned dynamically by an expression");
    }
  }

  /** The row conditions over a relation. */
  LogicalPlan over(LogicalPlan relation) {
    return TreeNodes.filtered(relation, rows);
  }
}
