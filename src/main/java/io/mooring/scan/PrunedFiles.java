package io.mooring.scan;

import io.mooring.catalyst.ScalaLists;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.catalyst.expressions.ExprId;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.execution.datasources.FileIndex;
import org.apache.spark.sql.execution.datasources.PartitionDirectory;
import org.apache.spark.sql.types.StructType;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.AbstractPartialFunction;

/**
 * A file index that lists only the partitions that some conditions leave, so that Spark prunes
 * partitions for our scan by any expression, as it does for its own.
 *
 * @param conditions on partition columns, which are known by name
 */
public record PrunedFiles(FileIndex files, List<Expression> conditions) implements FileIndex {
  // Numbers tell apart two uses of a table; without them equal scans are equal.
  private static final ExprId ANY_USE = new ExprId(0, new UUID(0, 0));

  /** The same index when there is no condition. */
  public static FileIndex of(FileIndex files, List<Expression> conditions) {
    return conditions.isEmpty()
        ? files
        : new PrunedFiles(files, conditions.stream().map(PrunedFiles::byName).toList());
  }

  /** What partitions an index lists, for EXPLAIN; empty for all of them. */
  static String shown(FileIndex index) {
    List<Expression> conditions = List.of();
    if (index instanceof PrunedFiles pruned) {
      conditions = pruned.conditions;
    } else if (index instanceof SkippedFiles skipped) {
      conditions = skipped.partitions();
    }
    return conditions.isEmpty()
        ? ""
        : conditions.stream()
            .map(Expression::sql)
            .collect(Collectors.joining(", ", " partitions where [", "]"));
  }

  /** A condition whose columns are told by their names alone. */
  static Expression byName(Expression condition) {
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
  public Seq<PartitionDirectory> listFiles(
      Seq<Expression> partitionFilters, Seq<Expression> dataFilters) {
    List<Expression> all = new ArrayList<>(conditions);
    all.addAll(CollectionConverters.asJava(partitionFilters));
    return files.listFiles(ScalaLists.seq(all), dataFilters);
  }

  @Override
  public Seq<Path> rootPaths() {
    return files.rootPaths();
  }

  @Override
  public String[] inputFiles() {
    return files.inputFiles();
  }

  @Override
  public void refresh() {
    files.refresh();
  }

  @Override
  public long sizeInBytes() {
    return files.sizeInBytes();
  }

  @Override
  public StructType partitionSchema() {
    return files.partitionSchema();
  }
}
