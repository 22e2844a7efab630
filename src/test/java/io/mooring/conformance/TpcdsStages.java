package io.mooring.conformance;

import io.mooring.stage.MooringStageExec;
import io.mooring.stage.program.JoinSides;
import io.mooring.stage.replicated.ReplicatedExec;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.spark.sql.catalyst.expressions.aggregate.Final$;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.aggregate.BaseAggregateExec;
import org.apache.spark.sql.execution.joins.BaseJoinExec;
import org.apache.spark.sql.execution.joins.BroadcastHashJoinExec;
import org.apache.spark.sql.execution.joins.ShuffledJoin;
import scala.jdk.javaapi.CollectionConverters;

/** What of a plan is in stages and what is not. */
final class TpcdsStages {
  // They join, group or multiply rows: what a stage is there for.
  private static final List<String> OTHERS = List.of("Expand", "Union", "Window", "Generate");

  private int stages;
  private int joins;
  private int replicated;
  private final Map<String, Integer> outside = new TreeMap<>();

  static TpcdsStages of(SparkPlan plan) {
    TpcdsStages found = new TpcdsStages();
    found.visit(plan);
    return found;
  }

  private void visit(SparkPlan node) {
    if (node instanceof MooringStageExec stage) {
      stages++;
      countJoins(stage.replaced());
    } else {
      replicated += node instanceof ReplicatedExec ? 1 : 0;
      String name = name(node);
      if (!name.isEmpty()) {
        outside.merge(name, 1, Integer::sum);
      }
    }
    CollectionConverters.asJava(node.children()).forEach(this::visit);
    CollectionConverters.asJava(node.subqueries()).forEach(this::visit);
  }

  private void countJoins(SparkPlan replaced) {
    SparkPlan node = replaced;
    while (!node.children().isEmpty()) {
      joins += node instanceof BroadcastHashJoinExec ? 1 : 0;
      node = JoinSides.streamed(node);
    }
  }

  /** Of what a stage could have been there for; empty for the rest. */
  private static String name(SparkPlan node) {
    if (node instanceof ShuffledJoin) {
      return "join with an exchange";
    } else if (node instanceof BaseJoinExec) {
      return "join with a broadcast";
    } else if (node instanceof BaseAggregateExec aggregate && !merges(aggregate)) {
      return "first step of an aggregate";
    }
    return OTHERS.stream().filter(node.nodeName()::startsWith).findFirst().orElse("");
  }

  private static boolean merges(BaseAggregateExec aggregate) {
    return aggregate.requiredChildDistributionExpressions().isDefined()
        || CollectionConverters.asJava(aggregate.aggregateExpressions()).stream()
            .anyMatch(it -> it.mode() == Final$.MODULE$);
  }

  int stages() {
    return stages;
  }

  /** For a table in Markdown. */
  String row(String query) {
    String others =
        outside.entrySet().stream()
            .map(it -> it.getValue() + " " + it.getKey())
            .collect(Collectors.joining(", "));
    return "| "
        + String.join(
            " | ",
            query,
            "" + stages,
            "" + joins,
            "" + replicated,
            others.isEmpty() ? "nothing" : others)
        + " |";
  }
}
