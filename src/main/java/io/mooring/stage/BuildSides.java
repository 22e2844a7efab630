package io.mooring.stage;

import io.mooring.stage.program.JoinSides;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.UnionExec;
import org.apache.spark.sql.execution.joins.HashedRelation;

/** The nodes that execute the build sides of the joins in a chain of operators, bottom first. */
final class BuildSides {
  private BuildSides() {}

  /** The build sides of a chain. */
  static List<SparkPlan> of(SparkPlan chain) {
    List<SparkPlan> found = new ArrayList<>();
    for (SparkPlan node = chain; !node.children().isEmpty(); node = JoinSides.streamed(node)) {
      if (JoinSides.isJoin(node)) {
        found.add(0, JoinSides.build(node));
      }
    }
    return found;
  }

  /**
   * The chain over nodes that delegate to the build sides. Spark copies plans that it prepares, and
   * a copy of a build side would make a broadcast of its own.
   *
   * @param buildSides as many as {@link #of} gives
   */
  static SparkPlan with(SparkPlan chain, List<SparkPlan> buildSides) {
    return buildSides.isEmpty() ? chain : with(chain, buildSides.iterator());
  }

  private static SparkPlan with(SparkPlan node, Iterator<SparkPlan> buildSides) {
    if (node.children().isEmpty() || node instanceof UnionExec) {
      // A union is that of the groups, below all joins.
      return node;
    }
    SparkPlan streamed = with(JoinSides.streamed(node), buildSides);
    return JoinSides.isJoin(node)
        ? JoinSides.with(node, streamed, new StageInputExec(buildSides.next()))
        : JoinSides.withStreamed(node, streamed);
  }

  /** The broadcasts of the build sides. Waits until they are made. */
  static List<Broadcast<HashedRelation>> broadcasts(List<SparkPlan> buildSides) {
    List<Broadcast<HashedRelation>> broadcasts = new ArrayList<>();
    for (SparkPlan build : buildSides) {
      broadcasts.add(build.<HashedRelation>executeBroadcast());
    }
    return broadcasts;
  }
}
