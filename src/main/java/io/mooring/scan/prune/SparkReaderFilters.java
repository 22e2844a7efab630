package io.mooring.scan.prune;

import io.mooring.scan.schema.FileFields;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.execution.datasources.HadoopFsRelation;
import org.apache.spark.sql.sources.And;
import org.apache.spark.sql.sources.Filter;
import org.apache.spark.sql.sources.Or;

/** The filters that Spark's own reader gets where it reads for Mooring. */
public final class SparkReaderFilters {
  private SparkReaderFilters() {}

  /** The filters by which it rules out no row of a result, whatever types a file has. */
  public static List<Filter> forEveryFile(HadoopFsRelation relation, List<Predicate> predicates) {
    if (relation.sparkSession().sessionState().conf().parquetFieldIdReadEnabled()
        && FileFields.haveIds(relation.dataSchema())) {
      // It would prune by columns of the names that are compared, whatever their ids.
      return List.of();
    }
    return PruningFilters.filters(relation, predicates).stream()
        .filter(filter -> !LossyFilters.hasDecimal(filter))
        .filter(filter -> !LossyFilters.hasSubMilliseconds(filter))
        .toList();
  }

  /**
   * The filters that Spark hands to its own reader, also those that rule out too much in some
   * files.
   */
  public static List<Filter> asSpark(HadoopFsRelation relation, List<Predicate> predicates) {
    Set<String> partitions = FileNames.inFilters(relation.partitionSchema());
    return predicates.stream()
        .flatMap(it -> V1Filters.of(it).stream())
        .flatMap(it -> withoutColumns(it, partitions).stream())
        .toList();
  }

  /** What a filter says of other columns than some, as Spark takes it apart. */
  private static Optional<Filter> withoutColumns(Filter filter, Set<String> columns) {
    if (filter instanceof And and) {
      Optional<Filter> left = withoutColumns(and.left(), columns);
      Optional<Filter> right = withoutColumns(and.right(), columns);
      return left.isPresent() && right.isPresent()
          ? Optional.of(new And(left.get(), right.get()))
          : left.or(() -> right);
    } else if (filter instanceof Or or) {
      return withoutColumns(or.left(), columns)
          .flatMap(left -> withoutColumns(or.right(), columns).map(right -> new Or(left, right)));
    }
    return Arrays.stream(filter.references()).noneMatch(columns::contains)
        ? Optional.of(filter)
        : Optional.empty();
  }
}
