package io.mooring.spark.plan.joins;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of a join.
 *
 * @param choice null where Spark plans it
 * @param why it keeps an exchange, which it would not have to; empty otherwise
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
