package io.mooring.spark.plan;

import io.mooring.catalyst.ScalaLists;
import io.mooring.catalyst.TreeNodes;
import io.mooring.scan.iceberg.RowLineage;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.catalyst.expressions.Add;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.catalyst.expressions.Coalesce;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.execution.datasources.HadoopFsRelation;
import org.apache.spark.sql.execution.datasources.LogicalRelation;
import org.apache.spark.sql.types.StructType;

/**
 * Computes the columns of Iceberg's {@link RowLineage} above a relation of files, out of what files
 * store and of values of the file and of the row's index in it.
 */
final class RowLineageColumns {
  private static final Set<String> NAMES = Set.of(RowLineage.ROW_ID, RowLineage.LAST_UPDATED);

  private final List<AttributeReference> stored;
  private final List<AttributeReference> wanted;

  private RowLineageColumns(LogicalRelation relation, List<AttributeReference> wanted) {
    this.stored = ScalaLists.list(relation.output());
    this.wanted = wanted;
  }

  /**
   * A relation with the given columns as its output, and where there are some of row lineage among
   * them, a projection of such a relation.
   */
  static LogicalPlan over(LogicalRelation relation, List<AttributeReference> wanted) {
    StructType ofFiles = ((HadoopFsRelation) relation.relation()).partitionSchema();
    return RowLineage.isIn(ofFiles)
        ? new RowLineageColumns(relation, wanted).over(relation)
        : with(relation, wanted);
  }

  private static LogicalPlan with(LogicalRelation relation, List<AttributeReference> output) {
    var columns = ScalaLists.seq(output);
    return TreeNodes.copy(
        (LogicalPlan) relation, part -> part == relation.output() ? columns : part);
  }

  private LogicalPlan over(LogicalRelation relation) {
    List<AttributeReference> read = new ArrayList<>();
    List<NamedExpression> results = new ArrayList<>();
    for (AttributeReference column : wanted) {
      boolean computed = NAMES.contains(column.name());
      read.add(computed ? stored(column.name()) : column);
      results.add(computed ? computed(column) : column);
    }
    List<String> names = wanted.stream().map(AttributeReference::name).toList();
    stored.stream().filter(it -> !names.contains(it.name())).forEach(read::add);
    return new Project(ScalaLists.seq(results), with(relation, read));
  }

  private AttributeReference stored(String name) {
    return stored.stream().filter(it -> it.name().equals(name)).findFirst().orElseThrow();
  }

  private NamedExpression computed(AttributeReference column) {
    Expression otherwise =
        column.name().equals(RowLineage.ROW_ID)
            ? new Add(stored(RowLineage.FIRST_ROW_ID), stored(RowLineage.ROW_INDEX))
            : stored(RowLineage.SEQUENCE_NUMBER);
    Expression value =
        new Coalesce(ScalaLists.<Expression>seq(List.of(stored(column.name()), otherwise)));
    return TreeNodes.alias(value, column.name(), column.exprId());
  }
}
