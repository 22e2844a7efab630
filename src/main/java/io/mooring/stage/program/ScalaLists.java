package io.mooring.stage.program;

import java.util.List;
import scala.jdk.javaapi.CollectionConverters;

/** Scala's sequences as Java's lists. */
final class ScalaLists {
  private ScalaLists() {}

  /** A copy of a sequence; its elements may be of a type that Scala has narrowed. */
  static <T> List<T> list(scala.collection.Seq<? extends T> elements) {
    return List.copyOf(CollectionConverters.asJava(elements));
  }
}
