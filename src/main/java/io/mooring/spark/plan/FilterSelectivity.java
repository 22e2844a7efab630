package io.mooring.spark.plan;

import io.mooring.catalyst.ScalaLists;
import io.mooring.scan.estimate.FooterEstimate;
import io.mooring.scan.estimate.TimeRange;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.catalyst.expressions.BinaryComparison;
import org.apache.spark.sql.catalyst.expressions.CallMethodViaReflection;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GreaterThan;
import org.apache.spark.sql.catalyst.expressions.GreaterThanOrEqual;
import org.apache.spark.sql.catalyst.expressions.LessThan;
import org.apache.spark.sql.catalyst.expressions.LessThanOrEqual;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.SubqueryExpression;
import org.apache.spark.sql.catalyst.expressions.UserDefinedExpression;
import org.apache.spark.sql.catalyst.expressions.objects.InvokeLike;
import org.apache.spark.sql.execution.datasources.FileStatusWithMetadata;
import org.apache.spark.sql.execution.datasources.HadoopFsRelation;
import org.apache.spark.sql.execution.datasources.PartitionDirectory;
import org.apache.spark.sql.execution.datasources.PartitioningAwareFileIndex;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.TimestampNTZType;
import org.apache.spark.sql.types.TimestampType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Estimates which part of a relation's rows fulfil conditions on its partition columns and on
 * columns of dates and timestamps, and which part of an aggregate's groups fulfil conditions on its
 * results. Other conditions count as true.
 */
final class FilterSelectivity {
  private static final Logger LOG = LoggerFactory.getLogger(FilterSelectivity.class);

  /** How much more rows than in an even spread a range of times is taken to have. */
  private static final double UNEVENNESS = 2;

  /** The least part: a file may have few of the times that most others have. */
  private static final double LEAST = 0.25;

  /** For more partitions, to find those that conditions select takes too long. */
  private static final int MOST_PARTITIONS = 2000;

  /**
   * The part of groups that a comparison keeps: the guess for ranges in Selinger et al., Access
   * Path Selection in a Relational Database Management System, 1979.
   */
  private static final double OF_GROUPS = 1.0 / 3;

  private FilterSelectivity() {}

  /** The part of an aggregate's groups that conditions on its results leave. */
  static double ofGroups(List<Expression> conditions) {
    return conditions.stream().anyMatch(it -> it instanceof BinaryComparison) ? OF_GROUPS : 1;
  }

  /**
   * The part of files that is in the partitions which conditions select; 1 where that is not known.
   *
   * @param conditions on columns of the relation
   * @param bytes of all its files
   */
  static double ofPartitions(List<Expression> conditions, HadoopFsRelation relation, double bytes) {
    List<String> columns = List.of(relation.partitionSchema().fieldNames());
    List<Expression> onPartitions =
        conditions.stream().filter(it -> isOnPartitions(it, columns)).toList();
    if (onPartitions.isEmpty()
        || bytes <= 0
        || !(relation.location() instanceof PartitioningAwareFileIndex index)
        || index.partitionSpec().partitions().size() > MOST_PARTITIONS) {
      return 1;
    }
    try {
      double read = 0;
      for (PartitionDirectory directory :
          ScalaLists.<PartitionDirectory>list(
              index.listFiles(ScalaLists.seq(onPartitions), ScalaLists.empty()))) {
        for (FileStatusWithMetadata file :
            ScalaLists.<FileStatusWithMetadata>list(directory.files())) {
          read += file.fileStatus().getLen();
        }
      }
      return read / bytes;
    } catch (Exception | AssertionError | LinkageError | StackOverflowError e) {
      // Scala throws checked exceptions. Where Spark evaluates the conditions, it fails likewise.
      LOG.debug("The partitions that {} select were not found", onPartitions, e);
      return 1;
    }
  }

  private static boolean isOnPartitions(Expression condition, List<String> columns) {
    return condition.deterministic()
        && !SubqueryExpression.hasSubquery(condition)
        && !condition.exists(FilterSelectivity::isOfUser)
        && !condition.references().isEmpty()
        && CollectionConverters.asJava(condition.references().toSeq()).stream()
            .allMatch(it -> columns.contains(it.name()));
  }

  /** Whether an expression may call a function of the user, which the planner does not do. */
  private static boolean isOfUser(Expression expression) {
    return expression instanceof UserDefinedExpression
        || expression instanceof InvokeLike
        || expression instanceof CallMethodViaReflection;
  }

  /** The part that ranges of times leave, by a footer; 1 where it tells nothing. */
  static double ofTimes(List<Expression> conditions, Optional<FooterEstimate> footer) {
    if (footer.isEmpty()) {
      return 1;
    }
    double share = 1;
    for (Map.Entry<Attribute, Bounds> column : bounds(conditions).entrySet()) {
      TimeRange times = footer.get().times(column.getKey().name());
      share *= times == null ? 1 : column.getValue().share(times);
    }
    return Math.max(LEAST, share);
  }

  private static Map<Attribute, Bounds> bounds(List<Expression> conditions) {
    Map<Attribute, Bounds> all = new HashMap<>();
    for (Expression condition : conditions) {
      if (condition instanceof BinaryComparison comparison) {
        boolean literalFirst = comparison.left() instanceof Literal;
        Expression column = literalFirst ? comparison.right() : comparison.left();
        Expression literal = literalFirst ? comparison.left() : comparison.right();
        if (column instanceof AttributeReference attribute
            && literal instanceof Literal time
            && isTime(time)) {
          double value = ((Number) time.value()).doubleValue();
          all.computeIfAbsent(attribute, it -> new Bounds()).add(comparison, literalFirst, value);
        }
      }
    }
    return all;
  }

  private static boolean isTime(Literal literal) {
    return literal.value() != null
        && (literal.dataType() instanceof DateType
            || literal.dataType() instanceof TimestampType
            || literal.dataType() instanceof TimestampNTZType);
  }

  /** Between which times the values of a column are. */
  private static final class Bounds {
    private double from = Double.NEGATIVE_INFINITY;
    private double to = Double.POSITIVE_INFINITY;

    void add(BinaryComparison comparison, boolean literalFirst, double time) {
      boolean less = comparison instanceof LessThan || comparison instanceof LessThanOrEqual;
      boolean greater =
          comparison instanceof GreaterThan || comparison instanceof GreaterThanOrEqual;
      if (literalFirst ? less : greater) {
        from = Math.max(from, time);
      }
      if (literalFirst ? greater : less) {
        to = Math.min(to, time);
      }
    }

    double share(TimeRange times) {
      return Math.min(1, UNEVENNESS * times.share(from, to));
    }
  }
}
