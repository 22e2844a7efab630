package io.mooring.spark.plan;

import io.mooring.catalyst.ScalaLists;
import io.mooring.catalyst.TreeNodes;
import io.mooring.stage.program.ComparedResults;
import io.mooring.stage.program.SupportedWindows;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.plans.logical.Aggregate;
import org.apache.spark.sql.catalyst.plans.logical.GlobalLimit;
import org.apache.spark.sql.catalyst.plans.logical.LocalLimit;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Offset;
import org.apache.spark.sql.catalyst.plans.logical.ReturnAnswer;
import org.apache.spark.sql.catalyst.plans.logical.Window;
import org.apache.spark.sql.catalyst.trees.TreeNodeTag;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.SparkStrategy;
import org.apache.spark.sql.internal.SQLConf;
import org.jspecify.annotations.Nullable;
import scala.collection.immutable.Seq;

/**
 * Finds operators whose results depend on the order of rows, such as sums of doubles and limits,
 * and that occur in several places of a query. Spark shares the rows of one exchange between these
 * places, so that a query may compare their results. The aggregates that such an operator gets its
 * rows from are marked, because they have to keep their exchanges. Plans nothing itself.
 * Thread-safe.
 */
public final class RepeatedOperators extends SparkStrategy {
  private static final TreeNodeTag<String> DIFFERS = new TreeNodeTag<>("mooring.repeated.differs");

  /**
   * An operator of a query.
   *
   * @param groups the groups of an aggregate; null for other operators
   */
  private record Place(LogicalPlan operator, @Nullable GroupedRows groups) {
    static Place of(LogicalPlan operator) {
      return new Place(
          operator, operator instanceof Aggregate aggregate ? new GroupedRows(aggregate) : null);
    }

    /** Whether the query may compare results of this operator with those of the other. */
    boolean mayBeEqual(Place other) {
      return groups == null || other.groups == null
          ? operator.canonicalized().equals(other.operator.canonicalized())
          : groups.mayShareGroups(other.groups);
    }
  }

  /** Marks when the whole query comes by, of which the plans of its sub-queries are parts. */
  @Override
  public Seq<SparkPlan> apply(LogicalPlan plan) {
    if (plan instanceof ReturnAnswer) {
      mark(plan);
    }
    return ScalaLists.seq(List.of());
  }

  private static void mark(LogicalPlan query) {
    List<LogicalPlan> ordered = new ArrayList<>();
    collect(query, ordered);
    if (ordered.size() < 2) {
      return;
    }
    List<Place> places = ordered.stream().map(Place::of).toList();
    for (Place place : places) {
      List<LogicalPlan> repeated =
          places.stream().filter(place::mayBeEqual).map(Place::operator).toList();
      if (repeated.size() > 1) {
        markBelow(place.operator());
        if (place.operator() instanceof Aggregate aggregate && !shareExchange(repeated)) {
          leaveToSpark(aggregate);
        }
      }
    }
  }

  /** Whether Spark computes aggregates that may share groups once. */
  private static boolean shareExchange(List<LogicalPlan> aggregates) {
    return SQLConf.get().exchangeReuseEnabled()
        && aggregates.stream().map(it -> functions((Aggregate) it)).distinct().count() == 1;
  }

  private static void leaveToSpark(Aggregate aggregate) {
    ExactAggregates.inexactFunction(aggregate)
        .ifPresent(function -> ComparedResults.mark(aggregate, function));
  }

  private static void markBelow(LogicalPlan operator) {
    String differs = whatDiffers(operator).orElseThrow();
    TreeNodes.forEach(
        operator,
        node -> {
          if (node instanceof Aggregate) {
            node.setTagValue(DIFFERS, differs);
          }
        });
  }

  private static void collect(LogicalPlan plan, List<LogicalPlan> ordered) {
    if (whatDiffers(plan).isPresent()) {
      ordered.add(plan);
    }
    // A limit of all rows and the limit of each partition below it are one.
    LogicalPlan last =
        plan instanceof GlobalLimit limit && limit.child() instanceof LocalLimit each ? each : plan;
    ScalaLists.<LogicalPlan>list(last.children()).forEach(child -> collect(child, ordered));
    ScalaLists.<LogicalPlan>list(plan.subqueries()).forEach(child -> collect(child, ordered));
  }

  /** What an operator decides by the order of its rows, in words; empty for most. */
  private static Optional<String> whatDiffers(LogicalPlan plan) {
    if (plan instanceof Aggregate aggregate) {
      return ExactAggregates.whyNotRepeatable(aggregate);
    } else if (plan instanceof Window window) {
      return SupportedWindows.areDeterministic(ScalaLists.list(window.windowExpressions()))
          ? Optional.empty()
          : Optional.of("the number of one of several equal rows");
    }
    boolean limits =
        plan instanceof GlobalLimit || plan instanceof LocalLimit || plan instanceof Offset;
    return limits ? Optional.of("the choice of rows within a limit") : Optional.empty();
  }

  /** The groups of an aggregate and their functions, whatever it computes of these. */
  private static LogicalPlan functions(Aggregate aggregate) {
    List<Expression> keys = ScalaLists.list(aggregate.groupingExpressions());
    List<Alias> calls =
        ExactAggregates.calls(aggregate).map(call -> TreeNodes.alias(call, "call")).toList();
    return TreeNodes.aggregate(aggregate, keys, calls, aggregate.child()).canonicalized();
  }

  /**
   * What may differ between places of the query that each compute an aggregate themselves; empty
   * where nothing does.
   */
  public static Optional<String> differs(Aggregate aggregate) {
    return Optional.ofNullable(aggregate.getTagValue(DIFFERS).getOrElse(() -> null));
  }
}
