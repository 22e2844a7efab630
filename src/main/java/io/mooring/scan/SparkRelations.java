package io.mooring.scan;

import java.util.List;
import scala.collection.immutable.Nil$;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/** Scala's lists from Java. */
final class SparkRelations {
  private SparkRelations() {}

  /** An immutable Scala list of the same elements. */
  static <T> Seq<T> seq(List<T> list) {
    return CollectionConverters.asScala(list).toList();
  }

  /** An empty Scala list. */
  @SuppressWarnings("unchecked")
  static <T> Seq<T> none() {
    return (Seq<T>) Nil$.MODULE$;
  }
}
