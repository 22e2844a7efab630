package io.mooring.spark.plan;

import io.mooring.catalyst.ScalaLists;
import io.mooring.catalyst.TreeNodes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.EqualTo;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.IsNotNull;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.plans.InnerLike;
import org.apache.spark.sql.catalyst.plans.JoinType;
import org.apache.spark.sql.catalyst.plans.LeftSemi$;
import org.apache.spark.sql.catalyst.plans.logical.Expand;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.Join;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.catalyst.plans.logical.Union;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.IntegralType;
import org.jspecify.annotations.Nullable;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Estimates the number of groups where Spark has no statistics. There are at most as many groups as
 * rows, and at most as many as combinations of values of the keys.
 *
 * @param rows the plan whose rows are grouped
 * @param few whether to guess low, as for results that are sorted for a reader: a key of which
 *     nothing is known has few values unless it is a numeric column, and the keys of one relation
 *     determine those of the others
 * @param columns how many values columns have
 * @param counts row counts of the plans below
 */
public record GroupEstimate(LogicalPlan rows, boolean few, ColumnValues columns, RowCounts counts) {
  /** The guess for a key of which nothing is known. */
  public static final double FEW_VALUES = 200;

  private static final double BOOLEAN_VALUES = 3;

  /** The number of groups by some keys. */
  public double groups(List<? extends Expression> keys) {
    double all = counts.rows(rows);
    Map<LogicalPlan, Double> byRelation = new HashMap<>();
    double others = 1;
    List<Computed> computed = computed();
    for (Expression named : keys) {
      Expression key = origin(named, computed);
      LogicalPlan relation = relation(key);
      if (key instanceof Literal) {
        others *= expansion();
      } else if (relation == null) {
        others *= few ? FEW_VALUES : all;
      } else {
        double values = Math.min(values(key, relation), matched(key));
        byRelation.merge(relation, values, (a, b) -> a * b);
      }
    }
    double groups = 1;
    for (Map.Entry<LogicalPlan, Double> relation : byRelation.entrySet()) {
      double own = Math.min(relation.getValue(), counts.rows(relation.getKey()) + 1);
      // A row of a large relation mostly finds one row of a small one.
      groups = few ? Math.max(groups, own) : groups * own;
    }
    groups *= others;
    return Math.min(all, groups);
  }

  /**
   * A lower bound on the number of groups: the number of values of the key that is known to have
   * the most. Zero where a filter may leave few of them.
   */
  public double leastGroups(List<? extends Expression> keys) {
    if (isFiltered(rows)) {
      return 0;
    }
    double least = 0;
    List<Computed> computed = computed();
    for (Expression named : keys) {
      Expression key = origin(named, computed);
      LogicalPlan relation = relation(key);
      if (relation != null && key instanceof Attribute column) {
        least = Math.max(least, Math.min(known(column, relation), counts.rows(relation)));
      }
    }
    return Math.min(least, counts.rows(rows));
  }

  private double known(Attribute column, LogicalPlan relation) {
    return columns.of(relation, column).orElse(0);
  }

  private static boolean isFiltered(LogicalPlan plan) {
    return (plan instanceof Filter filter
            && !TreeNodes.conjuncts(filter.condition()).stream()
                .allMatch(IsNotNull.class::isInstance))
        || ScalaLists.<LogicalPlan>list(plan.children()).stream()
            .anyMatch(GroupEstimate::isFiltered);
  }

  private double values(Expression key, LogicalPlan relation) {
    if (key.dataType() instanceof BooleanType) {
      return BOOLEAN_VALUES;
    }
    double guess = guess(key, relation);
    if (key instanceof Attribute column) {
      return columns.of(relation, column).orElse(guess);
    }
    // An expression has no more values than there are combinations of those of its columns.
    double combinations = 1;
    for (Attribute column : CollectionConverters.asJava(key.references().toSeq())) {
      OptionalDouble known = columns.of(relation, column);
      combinations *= known.orElse(Double.POSITIVE_INFINITY);
    }
    return Math.min(guess, combinations);
  }

  private double guess(Expression key, LogicalPlan relation) {
    boolean number =
        key.dataType() instanceof IntegralType || key.dataType() instanceof DecimalType;
    return few && !(number && key instanceof Attribute) ? FEW_VALUES : counts.rows(relation) + 1;
  }

  /** The rows among which inner and semi joins find a key: it has no other values. */
  private double matched(Expression key) {
    double[] most = {Double.POSITIVE_INFINITY};
    TreeNodes.forEach(
        rows,
        node -> {
          if (node instanceof Join join && leavesOut(join.joinType())) {
            most[0] = Math.min(most[0], matched(key, join));
          }
        });
    return most[0];
  }

  private double matched(Expression key, Join join) {
    List<Expression> conditions =
        join.condition().isEmpty() ? List.of() : TreeNodes.conjuncts(join.condition().get());
    double most = Double.POSITIVE_INFINITY;
    for (Expression condition : conditions) {
      if (condition instanceof EqualTo equal) {
        if (equal.left().semanticEquals(key)) {
          most = Math.min(most, rowsOf(equal.right(), join));
        } else if (equal.right().semanticEquals(key)) {
          most = Math.min(most, rowsOf(equal.left(), join));
        }
      }
    }
    return most;
  }

  private double rowsOf(Expression key, Join join) {
    boolean left = key.references().subsetOf(join.left().outputSet());
    return Math.max(1, counts.rows(left ? join.left() : join.right()));
  }

  private static boolean leavesOut(JoinType type) {
    return type instanceof InnerLike || type == LeftSemi$.MODULE$;
  }

  /** The columns that operators compute; parents come first. */
  private List<Computed> computed() {
    List<Computed> computed = new ArrayList<>();
    TreeNodes.forEach(rows, node -> computed.addAll(Computed.by(node)));
    return computed;
  }

  /** The expression by which a projection computes a key; the key itself if none does. */
  private static Expression origin(Expression key, List<Computed> computed) {
    Expression origin = key;
    // One pass also follows a column that is named twice.
    for (Computed column : computed) {
      origin = origin.semanticEquals(column.result()) ? column.by() : origin;
    }
    return origin;
  }

  /** The rows that an operator makes of each, for grouping sets. */
  private double expansion() {
    double[] most = {1};
    TreeNodes.forEach(
        rows,
        node -> {
          if (node instanceof Expand expand) {
            most[0] *= expand.projections().size();
          }
        });
    return most[0];
  }

  /**
   * The expression of a column in the first projection that does not set it to a literal; a literal
   * if all do.
   */
  private static Expression value(Expand expand, int column) {
    List<Expression> all = new ArrayList<>();
    for (var projection : ScalaLists.<Seq<Expression>>list(expand.projections())) {
      all.add(projection.apply(column));
    }
    return all.stream().filter(it -> !(it instanceof Literal)).findFirst().orElse(all.get(0));
  }

  /** A column and the expression that computes it of those below. */
  private record Computed(Attribute result, Expression by) {
    static List<Computed> by(LogicalPlan node) {
      List<Computed> columns = new ArrayList<>();
      if (node instanceof Expand expand) {
        List<Attribute> output = ScalaLists.list(expand.output());
        for (int i = 0; i < output.size(); i++) {
          columns.add(new Computed(output.get(i), value(expand, i)));
        }
      } else if (node instanceof Project project) {
        for (NamedExpression result : ScalaLists.<NamedExpression>list(project.projectList())) {
          if (result instanceof Alias alias && alias.child().deterministic()) {
            columns.add(new Computed(alias.toAttribute(), alias.child()));
          }
        }
      }
      return columns;
    }
  }

  /** The relation that all columns of a key are of; null when there is none. */
  private @Nullable LogicalPlan relation(Expression key) {
    return key.references().isEmpty() ? null : relation(key, rows);
  }

  private static @Nullable LogicalPlan relation(Expression key, LogicalPlan plan) {
    if (plan instanceof Union) {
      // Its columns have the ids of those of its first child alone.
      return null;
    } else if (plan.children().isEmpty()) {
      return key.references().subsetOf(plan.outputSet()) ? plan : null;
    }
    for (LogicalPlan child : ScalaLists.<LogicalPlan>list(plan.children())) {
      LogicalPlan found = relation(key, child);
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  /** How many values the columns of relations have. */
  public interface ColumnValues {
    /** The fewest that are possible. */
    ColumnValues FEWEST = (relation, column) -> OptionalDouble.of(1);

    /** The most that are possible: as many as the relation has rows. */
    ColumnValues MOST = (relation, column) -> OptionalDouble.of(Double.POSITIVE_INFINITY);

    /** The order of magnitude of distinct values; empty where nothing is known. */
    OptionalDouble of(LogicalPlan relation, Attribute column);
  }
}
