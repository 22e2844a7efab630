package io.mooring.scan.delta;

import static io.mooring.scan.delta.DeltaFormat.LIBRARY;
import static io.mooring.scan.delta.DeltaFormat.PACKAGE;

import io.mooring.catalyst.ScalaLists;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.ExpressionSet;
import org.apache.spark.sql.catalyst.expressions.ExpressionSet$;
import org.apache.spark.sql.catalyst.expressions.Literal$;
import scala.collection.Iterable;
import scala.jdk.javaapi.CollectionConverters;

/**
 * The files that Delta Lake has chosen by some conditions from a version of a table. Does not refer
 * to the version itself, which would keep the list of all its files in memory. Immutable.
 *
 * @param parts the arguments of the constructor of Delta Lake's DeltaScan, except the version
 */
public record DeltaFiles(List<Object> parts) {
  private static final String SCAN = PACKAGE + "stats.DeltaScan";
  private static final List<String> BEFORE_SNAPSHOT =
      List.of("version", "files", "total", "partition", "scanned");
  private static final List<String> AFTER_SNAPSHOT =
      List.of(
          "partitionFilters",
          "dataFilters",
          "partitionLikeDataFilters",
          "rewrittenPartitionLikeDataFilters",
          "unusedFilters",
          "scanDurationMs",
          "dataSkippingType");

  public DeltaFiles {
    parts = List.copyOf(parts);
  }

  static DeltaFiles of(Object scan) {
    return new DeltaFiles(
        Stream.concat(BEFORE_SNAPSHOT.stream(), AFTER_SNAPSHOT.stream())
            .map(part -> LIBRARY.call(scan, part))
            .toList());
  }

  /** How many there are. */
  public int count() {
    return ((Iterable<?>) parts.get(at("files"))).size();
  }

  /** The same files with other forms of the conditions by which they were chosen. */
  public DeltaFiles mapConditions(UnaryOperator<Expression> other) {
    return new DeltaFiles(
        parts.stream()
            .map(
                part -> part instanceof ExpressionSet conditions ? mapped(conditions, other) : part)
            .toList());
  }

  /**
   * The same files as if they were chosen by the condition "true". Delta Lake uses this condition
   * to ask whether any file has deleted rows, and would otherwise choose files again.
   */
  DeltaFiles askedForDeletions() {
    List<Expression> all = new ArrayList<>();
    List<Object> others = new ArrayList<>(parts);
    for (String conditions : List.of("partitionFilters", "dataFilters", "unusedFilters")) {
      all.addAll(conditions((ExpressionSet) parts.get(at(conditions))));
      others.set(at(conditions), set(List.of()));
    }
    others.set(at("dataFilters"), set(List.of(Literal$.MODULE$.TrueLiteral())));
    others.set(at("unusedFilters"), set(all));
    return new DeltaFiles(others);
  }

  private static int at(String part) {
    int before = BEFORE_SNAPSHOT.indexOf(part);
    return before < 0 ? BEFORE_SNAPSHOT.size() + AFTER_SNAPSHOT.indexOf(part) : before;
  }

  private static List<Expression> conditions(ExpressionSet set) {
    return List.copyOf(CollectionConverters.asJava(set.toSeq()));
  }

  private static Object set(List<? extends Expression> conditions) {
    return ExpressionSet$.MODULE$.apply(ScalaLists.seq(conditions));
  }

  private static Object mapped(ExpressionSet conditions, UnaryOperator<Expression> other) {
    return set(conditions(conditions).stream().map(other).toList());
  }

  /** Delta Lake's own object. */
  Object toScan(Object snapshot) {
    List<Object> arguments = new ArrayList<>(parts);
    arguments.add(BEFORE_SNAPSHOT.size(), snapshot);
    return LIBRARY.create(SCAN, arguments.toArray());
  }
}
