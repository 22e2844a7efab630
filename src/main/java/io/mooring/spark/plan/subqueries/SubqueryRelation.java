package io.mooring.spark.plan.subqueries;

import io.mooring.catalyst.ScalaLists;
import io.mooring.catalyst.TreeNodes;
import io.mooring.scan.delta.DeltaFormat;
import io.mooring.spark.plan.ScanPattern;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.plans.logical.Aggregate;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Relation;
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2ScanRelation;
import org.apache.spark.sql.execution.datasources.v2.V2ScanRelationPushDown$;
import org.jspecify.annotations.Nullable;

/**
 * The relation that a scalar sub-query aggregates, as it was before Spark pushed conditions down to
 * it.
 *
 * @param plan Spark's relation of files, or a table of Iceberg
 * @param partitions the columns by which the table is partitioned, in lower case
 * @param logged whether a table format may answer aggregates without reading files
 */
record SubqueryRelation(LogicalPlan plan, Set<String> partitions, boolean logged) {

  /**
   * The relation of a pattern; null where a condition may have been pushed down that is not in the
   * plan any more.
   *
   * @param leaf below the aggregate
   * @param conditions that the plan has above it
   */
  static @Nullable SubqueryRelation of(
      ScanPattern pattern, LogicalPlan leaf, List<Expression> conditions) {
    if (leaf instanceof DataSourceV2ScanRelation scan) {
      return holds(scan, conditions)
          ? new SubqueryRelation(scan.relation(), partitions(scan.relation()), true)
          : null;
    }
    return new SubqueryRelation(
        pattern.relation(),
        lowerCase(pattern.files().partitionSchema().fieldNames()),
        DeltaFormat.is(pattern.files().fileFormat()));
  }

  /** Whether the same columns and conditions, pushed down once more, give the same scan. */
  private static boolean holds(DataSourceV2ScanRelation scan, List<Expression> conditions) {
    LogicalPlan rows = TreeNodes.filtered(scan.relation(), conditions);
    LogicalPlan again =
        V2ScanRelationPushDown$.MODULE$.apply(
            new Project(ScalaLists.seq(ScalaLists.list(scan.output())), rows));
    return again.collectLeaves().head() instanceof DataSourceV2ScanRelation other
        && other.scan().equals(scan.scan())
        && scan.output().forall(column -> hasType((Attribute) column, scan.relation()));
  }

  /** False where Spark has pruned a struct to some of its fields. */
  private static boolean hasType(Attribute column, LogicalPlan relation) {
    return relation
        .output()
        .exists(
            it -> it.exprId().equals(column.exprId()) && it.dataType().equals(column.dataType()));
  }

  private static Set<String> partitions(DataSourceV2Relation relation) {
    return lowerCase(
        Arrays.stream(relation.table().partitioning())
            .flatMap(transform -> Arrays.stream(transform.references()))
            .map(NamedReference::fieldNames)
            .map(names -> names[0])
            .toArray(String[]::new));
  }

  private static Set<String> lowerCase(String[] names) {
    Set<String> all = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    all.addAll(List.of(names));
    return all;
  }

  /** Whether two relations have the same rows. */
  boolean isSame(SubqueryRelation other) {
    // Tables of Iceberg are equal by their names, whatever their snapshots.
    return plan.sameResult(other.plan)
        && (!(plan instanceof DataSourceV2Relation own)
            || (other.plan instanceof DataSourceV2Relation theirs
                && own.table() == theirs.table()));
  }

  /** Whether a condition names a column by which the table is partitioned. */
  boolean choosesPartitions(Expression condition) {
    return condition.references().exists(it -> partitions.contains(it.name()));
  }

  /** Whether the table format may answer an aggregate of some rows without reading files. */
  boolean mayBeLogged(List<Expression> conditions) {
    return logged
        && conditions.stream()
            .allMatch(it -> it.references().forall(column -> partitions.contains(column.name())));
  }

  /**
   * An aggregate of the relation's rows that reads no other columns, with what the table's library
   * evaluates pushed down.
   */
  Aggregate pushedDown(Aggregate aggregate) {
    List<Attribute> used =
        ScalaLists.<Attribute>list(aggregate.child().output()).stream()
            .filter(column -> aggregate.references().contains(column))
            .toList();
    LogicalPlan rows = new Project(ScalaLists.seq(used), aggregate.child());
    List<NamedExpression> results = ScalaLists.list(aggregate.aggregateExpressions());
    Aggregate pruned = TreeNodes.aggregate(aggregate, List.of(), results, rows);
    return plan instanceof DataSourceV2Relation
            && V2ScanRelationPushDown$.MODULE$.apply(pruned) instanceof Aggregate pushed
        ? pushed
        : pruned;
  }
}
