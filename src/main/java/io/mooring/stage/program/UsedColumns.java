package io.mooring.stage.program;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.ExprId;
import org.apache.spark.sql.execution.ExpandExec;
import org.apache.spark.sql.execution.ProjectExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.aggregate.BaseAggregateExec;
import scala.jdk.javaapi.CollectionConverters;

/** Finds the columns of an operator that are used above it in a chain. */
final class UsedColumns {
  private UsedColumns() {}

  /**
   * The columns of an operator that are used.
   *
   * @param chain the operators, bottom first; all columns of the last one are used
   * @param at the ordinal of the operator
   */
  static List<Attribute> of(List<SparkPlan> chain, int at) {
    Set<ExprId> used = new HashSet<>();
    for (int i = chain.size() - 1; i > at; i--) {
      SparkPlan above = chain.get(i);
      if (hasOwnColumns(above)) {
        used.clear();
      } else if (i == chain.size() - 1) {
        used.addAll(ids(attributes(above.output())));
      }
      used.addAll(ids(CollectionConverters.asJava(above.references())));
    }
    List<Attribute> output = attributes(chain.get(at).output());
    return at == chain.size() - 1
        ? output
        : output.stream().filter(column -> used.contains(column.exprId())).toList();
  }

  private static boolean hasOwnColumns(SparkPlan operator) {
    return operator instanceof ProjectExec
        || operator instanceof ExpandExec
        || operator instanceof BaseAggregateExec;
  }

  private static List<ExprId> ids(Iterable<? extends Attribute> attributes) {
    List<ExprId> ids = new ArrayList<>();
    attributes.forEach(column -> ids.add(column.exprId()));
    return ids;
  }

  private static List<Attribute> attributes(scala.collection.Seq<? extends Attribute> attributes) {
    return List.copyOf(CollectionConverters.asJava(attributes));
  }
}
