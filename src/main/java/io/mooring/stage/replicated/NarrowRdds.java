package io.mooring.stage.replicated;

import org.apache.spark.Dependency;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.rdd.RDD;
import scala.jdk.javaapi.CollectionConverters;

/** RDDs any partition of which one task can compute alone. */
final class NarrowRdds {
  private NarrowRdds() {}

  /** Whether there is no shuffle below. */
  static boolean isNarrow(RDD<?> rdd) {
    for (Dependency<?> dependency : CollectionConverters.asJava(rdd.dependencies())) {
      if (dependency instanceof ShuffleDependency<?, ?, ?> || !isNarrow(dependency.rdd())) {
        return false;
      }
    }
    return true;
  }
}
