package io.mooring.stage;

import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.util.List;
import org.apache.spark.Partition;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.execution.datasources.v2.DataSourceRDDPartition;
import scala.Option;
import scala.collection.Seq;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Access to the partitions of a scan's RDD, which hold one input partition from Spark 4.2 on, and
 * several before.
 */
final class DataSourcePartitions {
  private static final Method INPUTS = inputs();
  private static final Constructor<?> MAKE = DataSourceRDDPartition.class.getConstructors()[0];

  private DataSourcePartitions() {}

  private static Method inputs() {
    for (Method method : DataSourceRDDPartition.class.getMethods()) {
      if (method.getName().equals("inputPartitions") || method.getName().equals("inputPartition")) {
        return method;
      }
    }
    throw new IllegalStateException(
        "Mooring does not know DataSourceRDDPartition of this Spark version");
  }

  /** Whether a partition is a scan's; a scan without files has other ones. */
  static boolean isOfScan(Partition partition) {
    return partition instanceof DataSourceRDDPartition;
  }

  /** The input partitions that a scan's partition reads. */
  static List<InputPartition> inputs(Partition partition) {
    try {
      Object inputs = INPUTS.invoke(partition);
      return inputs instanceof Option<?> one
          ? one.isEmpty() ? List.of() : List.of((InputPartition) one.get())
          : CollectionConverters.asJava((Seq<?>) inputs).stream()
              .map(InputPartition.class::cast)
              .toList();
    } catch (ReflectiveOperationException e) {
      throw unknown(e);
    }
  }

  /** A partition of an index that reads another input. */
  static Partition of(int index, InputPartition input) {
    boolean several = MAKE.getParameterTypes()[1] != Option.class;
    Object inputs =
        several ? CollectionConverters.asScala(List.of(input)).toList() : Option.apply(input);
    try {
      return (Partition) MAKE.newInstance(index, inputs);
    } catch (ReflectiveOperationException e) {
      throw unknown(e);
    }
  }

  private static IllegalStateException unknown(ReflectiveOperationException e) {
    return new IllegalStateException(
        "Mooring does not know DataSourceRDDPartition of this Spark version", e);
  }
}
