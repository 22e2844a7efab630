package io.mooring.spark;

import io.mooring.spark.plan.MooringScanStrategy;
import io.mooring.spark.plan.RepeatedOperators;
import io.mooring.spark.plan.aggregates.RepartitionedPlans;
import io.mooring.spark.plan.aggregates.SingleTaskAggregates;
import io.mooring.spark.plan.delta.DeltaFileSelection;
import io.mooring.spark.plan.joins.JoinReorder;
import io.mooring.spark.plan.joins.ReplicatedJoinStrategy;
import io.mooring.spark.plan.scripts.ScriptRowsRule;
import io.mooring.spark.plan.stages.StageRule;
import io.mooring.spark.plan.subqueries.MergeSubqueries;
import java.util.function.Function;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.execution.ColumnarRule;
import org.apache.spark.sql.execution.SparkPlan;
import scala.runtime.AbstractFunction1;
import scala.runtime.BoxedUnit;

/**
 * Adds Mooring to a session: the strategy that plans Parquet scans, the strategy that plans joins
 * without an exchange, the rules that merge scalar sub-queries and reorder joins, the rule that
 * removes exchanges of aggregates, the rule that makes stages of operators over scans, and the rule
 * that notes which threads read rows for scripts.
 */
public final class MooringExtensions extends AbstractFunction1<SparkSessionExtensions, BoxedUnit> {
  @Override
  public BoxedUnit apply(SparkSessionExtensions extensions) {
    extensions.injectPlannerStrategy(
        new AbstractFunction1<>() {
          @Override
          public MooringScanStrategy apply(SparkSession session) {
            return new MooringScanStrategy(session);
          }
        });
    extensions.injectPlannerStrategy(
        new AbstractFunction1<>() {
          @Override
          public ReplicatedJoinStrategy apply(SparkSession session) {
            return new ReplicatedJoinStrategy(session);
          }
        });
    extensions.injectPlannerStrategy(
        new AbstractFunction1<>() {
          @Override
          public RepartitionedPlans apply(SparkSession session) {
            return new RepartitionedPlans();
          }
        });
    extensions.injectPlannerStrategy(
        new AbstractFunction1<>() {
          @Override
          public RepeatedOperators apply(SparkSession session) {
            return new RepeatedOperators();
          }
        });
    extensions.injectPreCBORule(
        new AbstractFunction1<>() {
          @Override
          public MergeSubqueries apply(SparkSession session) {
            return new MergeSubqueries(session);
          }
        });
    extensions.injectPreCBORule(
        new AbstractFunction1<>() {
          @Override
          public JoinReorder apply(SparkSession session) {
            return new JoinReorder(session);
          }
        });
    extensions.injectPreCBORule(
        new AbstractFunction1<>() {
          @Override
          public DeltaFileSelection apply(SparkSession session) {
            return new DeltaFileSelection(session);
          }
        });
    extensions.injectQueryStagePrepRule(
        new AbstractFunction1<>() {
          @Override
          public SingleTaskAggregates apply(SparkSession session) {
            return new SingleTaskAggregates(session);
          }
        });
    injectColumnar(extensions, SingleTaskAggregates::new);
    injectColumnar(extensions, StageRule::new);
    injectColumnar(extensions, session -> new ScriptRowsRule());
    return BoxedUnit.UNIT;
  }

  /** Adds a rule for the plans of queries and, under adaptive execution, of query stages. */
  private static void injectColumnar(
      SparkSessionExtensions extensions, Function<SparkSession, Rule<SparkPlan>> rule) {
    extensions.injectColumnar(
        new AbstractFunction1<>() {
          @Override
          public ColumnarRule apply(SparkSession session) {
            return new ColumnarRule() {
              @Override
              public Rule<SparkPlan> preColumnarTransitions() {
                return rule.apply(session);
              }
            };
          }
        });
  }
}
