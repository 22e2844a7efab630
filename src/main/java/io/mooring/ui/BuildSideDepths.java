package io.mooring.ui;

import io.mooring.metrics.StageNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.execution.ui.SparkPlanGraphEdge;
import org.apache.spark.sql.execution.ui.SparkPlanGraphNode;

/** In how many build sides that executors read, one in the other, the nodes of a plan are. */
final class BuildSideDepths {
  private final Map<Long, Integer> depths = new HashMap<>();

  BuildSideDepths(List<SparkPlanGraphNode> nodes, List<SparkPlanGraphEdge> edges) {
    Map<Long, Long> parents = new HashMap<>();
    edges.forEach(edge -> parents.putIfAbsent(edge.fromId(), edge.toId()));
    Map<Long, String> names = new HashMap<>();
    List<SparkPlanGraphNode> downwards = new ArrayList<>(nodes);
    // Spark numbers a plan from the top, so a node's parent comes first. No recursion: plans may be
    // deeper than a thread's stack.
    downwards.sort(Comparator.comparingLong(SparkPlanGraphNode::id));
    for (SparkPlanGraphNode node : downwards) {
      Long parent = parents.get(node.id());
      names.put(node.id(), node.name());
      int above = parent == null ? 0 : depths.getOrDefault(parent, 0);
      boolean buildSide = StageNode.REPLICATED.label().equals(names.get(parent));
      depths.put(node.id(), buildSide ? above + 1 : above);
    }
  }

  int of(SparkPlanGraphNode node) {
    return depths.getOrDefault(node.id(), 0);
  }
}
