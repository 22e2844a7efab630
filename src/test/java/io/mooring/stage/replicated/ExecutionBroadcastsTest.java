package io.mooring.stage.replicated;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.testing.Sessions;
import java.util.Map;
import org.apache.spark.SparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.plans.physical.IdentityBroadcastMode$;
import org.apache.spark.sql.execution.SQLExecution;
import org.apache.spark.sql.execution.SparkPlan;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which build sides share a broadcast, and for how long. */
class ExecutionBroadcastsTest {
  private SparkSession spark;
  private SparkContext context;
  private SparkPlan plan;

  @BeforeEach
  void start() {
    spark = Sessions.withPlugin(1, Map.of("spark.mooring.pinnedPool.size", "64m"));
    context = spark.sparkContext();
    plan = spark.range(3).queryExecution().executedPlan();
  }

  @AfterEach
  void stop() {
    spark.stop();
  }

  private ReplicatedBroadcast created() {
    return ReplicatedBroadcast.create(
        context,
        plan.execute(),
        IdentityBroadcastMode$.MODULE$,
        new BuildSize(3, 24, 1000),
        ReplacedExchange.SHUFFLE,
        ReplicatedMetrics.create(context));
  }

  private Broadcast<?> shared(String execution, ReplicatedBroadcast created) {
    context.setLocalProperty(SQLExecution.EXECUTION_ID_KEY(), execution);
    return ExecutionBroadcasts.shared(context, plan.canonicalized(), () -> created);
  }

  @Test
  void equalBuildSidesOfAQueryShareOne() {
    ReplicatedBroadcast first = created();
    ReplicatedBroadcast second = created();
    assertThat(shared("71", first)).isSameAs(first);
    assertThat(shared("71", second)).isSameAs(first);
    assertThat(shared("72", second)).isSameAs(second);
  }

  /** A query that runs when its application ends may never report its own end. */
  @Test
  void endOfTheApplication_forgetsAll() {
    ReplicatedBroadcast first = created();
    ReplicatedBroadcast second = created();
    assertThat(shared("73", first)).isSameAs(first);
    spark.stop();
    assertThat(shared("73", second)).isSameAs(second);
    assertThat(first.id()).isNotEqualTo(second.id());
  }
}
