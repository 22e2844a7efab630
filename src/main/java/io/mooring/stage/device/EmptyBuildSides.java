package io.mooring.stage.device;

import io.mooring.stage.program.RowOperator.Join;
import io.mooring.stage.program.RowOperator.Join.Kind;
import io.mooring.stage.program.StageProgram;
import io.mooring.stage.replicated.ReplacedExchange;
import io.mooring.stage.replicated.ReplicatedBroadcast;
import java.util.List;
import java.util.function.Predicate;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.execution.joins.HashedRelation;

/**
 * Build sides without rows that end a join: no row of the other side is computed, as with adaptive
 * execution, so that none can raise an error.
 */
public final class EmptyBuildSides {
  private EmptyBuildSides() {}

  /**
   * Whether nothing leaves a stage because of such a build side. Called in a task, which may have
   * to read build sides on the host.
   *
   * @param broadcasts the build sides of the program's joins, in order
   */
  public static boolean leaveNothing(
      StageProgram program, List<Broadcast<HashedRelation>> broadcasts) {
    return leaveNothing(
        program,
        broadcasts,
        join -> ((ReplicatedBroadcast) (Object) broadcasts.get(join.build())).isEmpty());
  }

  /** The same, by what tells whether a build side that would end its join is empty. */
  static boolean leaveNothing(
      StageProgram program, List<Broadcast<HashedRelation>> broadcasts, Predicate<Join> isEmpty) {
    return program.operators().stream()
        .anyMatch(
            operator ->
                operator instanceof Join join
                    && (join.kind() == Kind.INNER || join.kind() == Kind.SEMI)
                    && mayEnd(broadcasts.get(join.build()))
                    && isEmpty.test(join));
  }

  private static boolean mayEnd(Object broadcast) {
    return broadcast instanceof ReplicatedBroadcast own
        && own.replaced() == ReplacedExchange.MEASURED_BROADCAST;
  }
}
