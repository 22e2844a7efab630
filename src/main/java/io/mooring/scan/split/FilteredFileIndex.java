package io.mooring.scan.split;

import io.mooring.catalyst.ScalaLists;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.catalyst.expressions.ExprId;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.execution.datasources.FileIndex;
import org.apache.spark.sql.types.StructType;
import scala.runtime.AbstractPartialFunction;

/** A file index that lists those files of another that some conditions leave. Immutable. */
public abstract class FilteredFileIndex implements WrappedFileIndex {
  // Expression ids differ between two uses of a table; without them equal scans are equal.
  private static final ExprId ANY_USE = new ExprId(0, new UUID(0, 0));

  private final FileIndex files;

  /**
   * @param files the index of all files
   */
  FilteredFileIndex(FileIndex files) {
    this.files = files;
  }

  @Override
  public final FileIndex files() {
    return files;
  }

  /** The conditions that choose partitions, by the names of their columns. */
  abstract List<Expression> partitionConditions();

  /** What partitions an index lists, for EXPLAIN; empty for all of them. */
  public static String describe(FileIndex index) {
    List<Expression> conditions =
        index instanceof FilteredFileIndex filtered ? filtered.partitionConditions() : List.of();
    return conditions.isEmpty()
        ? ""
        : conditions.stream()
            .map(Expression::sql)
            .collect(Collectors.joining(", ", " partitions where [", "]"));
  }

  /** Conditions whose columns differ by their names alone. */
  static List<Expression> byName(List<Expression> conditions) {
    return conditions.stream().map(FilteredFileIndex::byName).toList();
  }

  private static Expression byName(Expression condition) {
    return (Expression)
        condition.transform(
            new AbstractPartialFunction<>() {
              @Override
              public boolean isDefinedAt(Expression node) {
                return node instanceof AttributeReference;
              }

              @Override
              public Expression apply(Expression node) {
                return ((AttributeReference) node)
                    .withExprId(ANY_USE)
                    .withQualifier(ScalaLists.empty());
              }
            });
  }

  @Override
  public StructType partitionSchema() {
    return files.partitionSchema();
  }
}
