package io.mooring.catalyst;

import java.util.List;
import org.apache.spark.sql.execution.SparkPlan;
import scala.collection.Iterator;
import scala.jdk.javaapi.CollectionConverters;

/**
 * A physical node written in Java: Scala's Product, which its compiler makes for case classes, out
 * of the arguments of the node's only constructor. Thread-safe as Spark's nodes are.
 */
public abstract class ProductExec extends SparkPlan {
  private static final long serialVersionUID = 1;

  /** The constructor's arguments, by which Spark copies the node. */
  protected abstract Object[] arguments();

  /** The values that EXPLAIN shows behind the node's name. */
  protected abstract List<Object> shown();

  @Override
  public final int productArity() {
    return arguments().length;
  }

  @Override
  public final Object productElement(int at) {
    return arguments()[at];
  }

  @Override
  public final boolean canEqual(Object other) {
    return getClass().isInstance(other);
  }

  @Override
  public final Iterator<Object> stringArgs() {
    return CollectionConverters.asScala(shown().iterator());
  }
}
