package io.mooring.stage;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.apache.spark.Dependency;
import org.apache.spark.NarrowDependency;
import org.apache.spark.Partition;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.TaskContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import scala.Enumeration;
import scala.collection.Iterator;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import scala.reflect.ClassTag$;

/**
 * The rows of an RDD of one partition, which depends on nothing but shuffles. So a barrier stage
 * may have it: Spark refuses those in which RDDs have different numbers of partitions, as the
 * partial groups of a scan and what one task makes of them have.
 */
final class OneTaskRdd extends RDD<InternalRow> {
  private static final long serialVersionUID = 1;

  private final RDD<InternalRow> rows;

  /**
   * @param rows in one partition
   */
  OneTaskRdd(RDD<InternalRow> rows) {
    super(rows.sparkContext(), shuffles(rows), ClassTag$.MODULE$.apply(InternalRow.class));
    this.rows = rows;
  }

  /** The shuffles that tasks of an RDD read. */
  private static Seq<Dependency<?>> shuffles(RDD<?> rdd) {
    List<Dependency<?>> shuffles = new ArrayList<>();
    Set<RDD<?>> visited = Collections.newSetFromMap(new IdentityHashMap<>());
    Deque<RDD<?>> next = new ArrayDeque<>(List.of(rdd));
    while (!next.isEmpty()) {
      RDD<?> one = next.pop();
      if (visited.add(one)) {
        for (Dependency<?> dependency : dependencies(one)) {
          if (dependency instanceof ShuffleDependency) {
            shuffles.add(dependency);
          } else {
            next.push(dependency.rdd());
          }
        }
      }
    }
    return CollectionConverters.asScala(shuffles).toList();
  }

  private static List<Dependency<?>> dependencies(RDD<?> rdd) {
    return CollectionConverters.asJava(rdd.dependencies());
  }

  @Override
  public Partition[] getPartitions() {
    return rows.partitions();
  }

  /** The locations that the first RDD below prefers, as Spark's scheduler finds them. */
  @Override
  public Seq<String> getPreferredLocations(Partition partition) {
    RDD<?> rdd = rows;
    Seq<String> found = rdd.preferredLocations(rdd.partitions()[0]);
    while (found.isEmpty()
        && dependencies(rdd).size() == 1
        && dependencies(rdd).get(0) instanceof NarrowDependency<?> parent
        && parent.rdd().getNumPartitions() == 1) {
      rdd = parent.rdd();
      found = rdd.preferredLocations(rdd.partitions()[0]);
    }
    return found;
  }

  @Override
  public Enumeration.Value getOutputDeterministicLevel() {
    return rows.outputDeterministicLevel();
  }

  @Override
  public Iterator<InternalRow> compute(Partition partition, TaskContext context) {
    return rows.iterator(partition, context);
  }
}
