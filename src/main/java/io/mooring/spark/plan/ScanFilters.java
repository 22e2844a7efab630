package io.mooring.spark.plan;

import io.mooring.catalyst.ScalaLists;
import io.mooring.catalyst.TreeNodes;
import io.mooring.scan.delta.DeltaFormat;
import io.mooring.scan.iceberg.IcebergFiles;
import io.mooring.scan.iceberg.IcebergFormat;
import io.mooring.scan.split.FilesWithMetadata;
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
import org.apache.spark.sql.execution.datasources.FileIndex;
import org.apache.spark.sql.types.StructType;
import scala.collection.immutable.Seq;

/**
 * The conditions on a relation by their use, as Spark's own file scans divide them.
 *
 * @param listing conditions on partition columns, by which files are listed
 * @param files the other conditions, by which statistics of a file can rule it out
 * @param rows conditions to be checked on rows, and dynamic pruning by partition columns
 * @param runtime conditions by which partitions are pruned when sub-queries have run
 */
public record ScanFilters(
    List<Expression> listing,
    List<Expression> files,
    List<Expression> rows,
    List<Expression> runtime) {

  /** Divides the conditions of a pattern. */
  public static ScanFilters of(SparkSession session, ScanPattern pattern) {
    Seq<Expression> columns = partitionColumns(session, pattern);
    AttributeSet partition = AttributeSet$.MODULE$.apply(columns);
    // Iceberg has listed the files by all of its conditions already.
    boolean planned = IcebergFormat.is(pattern.files().fileFormat());
    List<Expression> known = new ArrayList<>();
    List<Expression> rows = new ArrayList<>();
    List<Expression> runtime = new ArrayList<>();
    for (Expression condition : pattern.conditions()) {
      boolean onPartitions = isOn(condition, partition);
      boolean subquery = SubqueryExpression.hasSubquery(condition);
      if (condition instanceof DynamicPruningSubquery pruning) {
        // Others prune partitions of another child of a union above, whose join checks the same.
        // Iceberg, too, compares nothing but columns.
        boolean column = pruning.pruningKey() instanceof AttributeReference;
        if (onPartitions && (column || !planned)) {
          runtime.add(condition);
        }
        if (onPartitions && column) {
          rows.add(condition);
        }
        continue;
      }
      boolean pruning = onPartitions && !planned;
      if (pruning && subquery) {
        runtime.add(condition);
      } else if (condition.deterministic() && !subquery) {
        known.add(condition);
      }
      if (!pruning || subquery) {
        rows.add(condition);
      }
    }
    Seq<Expression> normalized = normalized(known, pattern);
    var listing =
        DataSourceStrategy.getPushedDownFilters(planned ? ScalaLists.empty() : columns, normalized);
    List<Expression> files =
        ScalaLists.<Expression>list(normalized).stream()
            .filter(it -> !isOn(it, partition))
            .toList();
    return new ScanFilters(
        ScalaLists.list(listing.toSeq()),
        files,
        rows,
        ScalaLists.list(normalized(runtime, pattern)));
  }

  /** With the names of columns as the relation spells them, whatever the query does. */
  private static Seq<Expression> normalized(List<Expression> conditions, ScanPattern pattern) {
    return DataSourceStrategy$.MODULE$.normalizeExprs(
        ScalaLists.seq(conditions),
        ScalaLists.seq(ScalaLists.<Attribute>list(pattern.relation().output())));
  }

  private static Seq<Expression> partitionColumns(SparkSession session, ScanPattern pattern) {
    FileIndex index = pattern.files().location();
    StructType schema = pattern.files().partitionSchema();
    if (index instanceof IcebergFiles iceberg) {
      schema = iceberg.scan().filterColumns();
    } else if (DeltaFormat.is(pattern.files().fileFormat())) {
      // Spark evaluates conditions on metadata with those on rows: after others, they may not fail.
      schema = FilesWithMetadata.listing(index).partitionSchema();
    }
    return ScalaLists.seq(
        ScalaLists.<Expression>list(
            pattern.relation().resolve(schema, session.sessionState().analyzer().resolver())));
  }

  private static boolean isOn(Expression condition, AttributeSet columns) {
    return condition.deterministic()
        && condition.references().nonEmpty()
        && condition.references().subsetOf(columns);
  }

  /** The row conditions over a relation. */
  LogicalPlan over(LogicalPlan relation) {
    return TreeNodes.filtered(relation, rows);
  }
}
