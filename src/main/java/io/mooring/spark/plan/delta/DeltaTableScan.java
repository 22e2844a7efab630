package io.mooring.spark.plan.delta;

import io.mooring.catalyst.ScalaLists;
import io.mooring.catalyst.TreeNodes;
import io.mooring.scan.delta.DeltaFormat;
import io.mooring.scan.delta.DeltaSnapshot;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.catalyst.expressions.BoundReference;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.planning.PhysicalOperation;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.execution.datasources.FileIndex;
import org.apache.spark.sql.execution.datasources.HadoopFsRelation;
import org.apache.spark.sql.execution.datasources.LogicalRelation;
import org.apache.spark.sql.internal.SQLConf;
import org.jspecify.annotations.Nullable;
import scala.Option;
import scala.Tuple3;
import scala.collection.immutable.Seq;

/**
 * The scan of a Delta table in a query whose files are not chosen yet.
 *
 * @param plan the relation with the filters and projections above it
 * @param conditions of the filters
 */
record DeltaTableScan(LogicalPlan plan, List<Expression> conditions, LogicalRelation relation) {
  /** Null when a plan is anything else. */
  static @Nullable DeltaTableScan find(LogicalPlan plan) {
    Option<Tuple3<Seq<NamedExpression>, Seq<Expression>, LogicalPlan>> found =
        PhysicalOperation.unapply(plan);
    if (found.isDefined()
        && found.get()._3() instanceof LogicalRelation relation
        && relation.relation() instanceof HadoopFsRelation files
        && DeltaFormat.isOfLog(files.location())) {
      return new DeltaTableScan(plan, ScalaLists.list(found.get()._2()), relation);
    }
    return null;
  }

  HadoopFsRelation files() {
    return (HadoopFsRelation) relation.relation();
  }

  FileIndex index() {
    return files().location();
  }

  /** What identifies the table. */
  Object table() {
    return DeltaSnapshot.table(index());
  }

  /** Whether the conditions say the same in any query. */
  boolean lasts() {
    return LastingConditions.are(conditions.stream().map(this::bound).toList());
  }

  /** What decides on the files of a version. */
  ChosenFiles.Key key(DeltaSnapshot snapshot) {
    Set<Expression> bound = new HashSet<>();
    conditions.forEach(condition -> bound.add(bound(condition).canonicalized()));
    return new ChosenFiles.Key(
        table(),
        snapshot.version(),
        snapshot.committedAt(),
        files().schema(),
        SQLConf.get().sessionLocalTimeZone(),
        bound);
  }

  /** An expression over columns by ordinals instead of this query's. */
  Expression bound(Expression expression) {
    Map<String, Integer> byName = new HashMap<>();
    names().forEach(name -> byName.put(name, byName.size()));
    Map<Object, Integer> ordinals = new HashMap<>();
    for (Expression column : ScalaLists.<Expression>list(relation.output())) {
      AttributeReference attribute = (AttributeReference) column;
      Integer at = byName.get(attribute.name());
      if (at != null) {
        ordinals.put(attribute.exprId(), at);
      }
    }
    return TreeNodes.replaced(
        expression,
        it ->
            it instanceof AttributeReference column && ordinals.containsKey(column.exprId())
                ? new BoundReference(
                    ordinals.get(column.exprId()), column.dataType(), column.nullable())
                : null);
  }

  /** The reverse of {@link #bound}. */
  Expression unbound(Expression expression) {
    Map<String, Expression> columns = new HashMap<>();
    for (Expression column : ScalaLists.<Expression>list(relation.output())) {
      columns.put(((AttributeReference) column).name(), column);
    }
    List<String> names = names();
    return TreeNodes.replaced(
        expression,
        it ->
            it instanceof BoundReference column ? columns.get(names.get(column.ordinal())) : null);
  }

  private List<String> names() {
    return List.of(files().schema().fieldNames());
  }
}
