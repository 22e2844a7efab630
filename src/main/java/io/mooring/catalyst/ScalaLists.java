package io.mooring.catalyst;

import java.util.List;
import scala.collection.immutable.Nil$;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/** Copies between Java's lists and Scala's sequences. */
public final class ScalaLists {
  private ScalaLists() {}

  /** An immutable Scala list of the same elements. */
  public static <T> Seq<T> seq(List<? extends T> elements) {
    return CollectionConverters.<T>asScala(List.<T>copyOf(elements)).toList();
  }

  /** An empty Scala list. */
  @SuppressWarnings("unchecked") // it has no element of any type
  public static <T> Seq<T> empty() {
    return (Seq<T>) Nil$.MODULE$;
  }

  /** An immutable Java list of the same elements, of the type that Scala narrowed them to. */
  public static <T> List<T> list(scala.collection.Seq<? extends T> elements) {
    return List.copyOf(CollectionConverters.asJava(elements));
  }
}
