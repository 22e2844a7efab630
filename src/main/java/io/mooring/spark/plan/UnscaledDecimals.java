package io.mooring.spark.plan;

import io.mooring.catalyst.ScalaLists;
import io.mooring.catalyst.TreeNodes;
import io.mooring.pushdown.UnscaledColumns;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.catalyst.expressions.ExprId;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression$;
import org.apache.spark.sql.catalyst.expressions.UnscaledValue;
import org.apache.spark.sql.catalyst.plans.logical.Aggregate;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * Gives each unscaled decimal that a pattern's aggregate is over a column, so that Spark can push
 * the aggregate down.
 */
final class UnscaledDecimals {
  private final ScanPattern pattern;
  private final Map<ExprId, StructField> found = new LinkedHashMap<>();
  private final Map<ExprId, AttributeReference> standIns = new LinkedHashMap<>();

  private UnscaledDecimals(ScanPattern pattern) {
    this.pattern = pattern;
  }

  static UnscaledDecimals of(ScanPattern pattern) {
    UnscaledDecimals decimals = new UnscaledDecimals(pattern);
    if (pattern.root() instanceof Aggregate aggregate
        && aggregate.groupingExpressions().isEmpty()) {
      Set<ExprId> used = new HashSet<>();
      ScalaLists.<NamedExpression>list(aggregate.aggregateExpressions())
          .forEach(expression -> addUnscaled((Expression) expression, used));
      decimals.add(used);
    }
    return decimals;
  }

  private static void addUnscaled(Expression expression, Set<ExprId> used) {
    TreeNodes.forEach(
        expression,
        part -> {
          if (part instanceof UnscaledValue value
              && value.child() instanceof AttributeReference column
              && UnscaledColumns.isShortDecimal(column.dataType())) {
            used.add(column.exprId());
          }
        });
  }

  private void add(Set<ExprId> used) {
    StructType schema = pattern.files().schema();
    List<Attribute> output = ScalaLists.list(pattern.relation().output());
    for (int i = 0; i < schema.length(); i++) {
      ExprId id = output.get(i).exprId();
      StructField field = UnscaledColumns.standIn(schema.fields()[i]);
      boolean taken = Arrays.stream(schema.fieldNames()).anyMatch(field.name()::equalsIgnoreCase);
      if (used.contains(id) && !taken) {
        found.put(id, field);
        standIns.put(id, attribute(field));
      }
    }
  }

  private static AttributeReference attribute(StructField field) {
    return new AttributeReference(
        field.name(),
        field.dataType(),
        field.nullable(),
        field.metadata(),
        NamedExpression$.MODULE$.newExprId(),
        ScalaLists.seq(List.of()));
  }

  boolean isEmpty() {
    return standIns.isEmpty();
  }

  boolean contains(Attribute attribute) {
    return standIns.values().stream().anyMatch(it -> it.exprId().equals(attribute.exprId()));
  }

  /** The relation's schema, followed by the stand-in columns. */
  StructType schema() {
    StructType schema = pattern.files().schema();
    for (StructField field : found.values()) {
      schema = schema.add(field);
    }
    return schema;
  }

  /** The relation's output, followed by the stand-in columns. */
  List<Attribute> output() {
    List<Attribute> output =
        new ArrayList<>(ScalaLists.<Attribute>list(pattern.relation().output()));
    output.addAll(standIns.values());
    return output;
  }

  /** The pattern's nodes with the stand-in columns instead of the unscaled decimals. */
  LogicalPlan in(LogicalPlan plan) {
    if (plan instanceof Aggregate aggregate) {
      List<NamedExpression> results =
          ScalaLists.<NamedExpression>list(aggregate.aggregateExpressions()).stream()
              .map(expression -> (NamedExpression) replaced((Expression) expression))
              .toList();
      return TreeNodes.aggregate(aggregate, List.of(), results, in(aggregate.child()));
    }
    return plan instanceof Project project ? passedThrough(project) : below(plan);
  }

  private LogicalPlan below(LogicalPlan plan) {
    if (plan.children().size() != 1) {
      return plan;
    }
    LogicalPlan old = plan.children().head();
    LogicalPlan child = in(old);
    return child == old ? plan : TreeNodes.copy(plan, part -> part == old ? child : part);
  }

  /** The projection with the stand-in columns added. */
  private LogicalPlan passedThrough(Project project) {
    LogicalPlan child = in(project.child());
    List<NamedExpression> list =
        new ArrayList<>(ScalaLists.<NamedExpression>list(project.projectList()));
    list.addAll(standIns.values());
    var extended = ScalaLists.seq(list);
    return TreeNodes.copy(
        (LogicalPlan) project,
        part -> part == project.projectList() ? extended : part == project.child() ? child : part);
  }

  private Expression replaced(Expression expression) {
    if (expression instanceof UnscaledValue value
        && value.child() instanceof AttributeReference column
        && standIns.containsKey(column.exprId())) {
      return standIns.get(column.exprId());
    }
    return TreeNodes.mapChildren(expression, this::replaced);
  }
}
