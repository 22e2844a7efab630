package io.mooring.spark.plan.joins;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The decision on a join.
 *
 * @param choice the join without an exchange; null where Spark plans the join
 * @param why the reason why Mooring leaves the join its exchange; empty otherwise
 */
record JoinDecision(@Nullable ReplicatedJoin choice, String why) {
  static final JoinDecision SPARKS = new JoinDecision(null, "");

  static JoinDecision exchange(String why) {
    return new JoinDecision(null, why);
  }

  Optional<ReplicatedJoin> chosen() {
    return Optional.ofNullable(choice);
  }
}
