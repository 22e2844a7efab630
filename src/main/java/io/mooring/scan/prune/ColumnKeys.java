package io.mooring.scan.prune;

import java.io.Serializable;
import java.time.LocalDate;
import java.util.Optional;
import org.apache.parquet.filter2.predicate.FilterApi;
import org.apache.parquet.filter2.predicate.FilterPredicate;
import org.apache.parquet.filter2.predicate.Operators;
import org.apache.parquet.filter2.predicate.Statistics;
import org.apache.parquet.filter2.predicate.UserDefinedPredicate;
import org.apache.spark.sql.execution.datasources.parquet.ParquetFilters;
import org.apache.spark.sql.sources.And;
import org.apache.spark.sql.sources.EqualTo;
import org.apache.spark.sql.sources.Filter;
import org.apache.spark.sql.sources.GreaterThan;
import org.apache.spark.sql.sources.GreaterThanOrEqual;
import org.apache.spark.sql.sources.LessThanOrEqual;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.LongType;
import scala.jdk.javaapi.OptionConverters;

/**
 * Keys of joins that rows of a column are compared with: row groups and pages without one of them
 * are not read.
 *
 * @param column the name that files have, as filters say it
 * @param type the column's type in the table
 */
public record ColumnKeys(String column, DataType type, KeyRanges keys) implements Serializable {
  // Before this day, files of other writers may count days by another calendar.
  private static final long FIRST_GREGORIAN_DAY = LocalDate.of(1582, 10, 15).toEpochDay();

  /** Keys of a column of a table whose files name it otherwise. */
  public static ColumnKeys of(String nameInFiles, DataType type, KeyRanges keys) {
    return new ColumnKeys(FileNames.inFilters(nameInFiles), type, keys);
  }

  /**
   * The predicate of parquet-mr that a file's rows pass which have such a key; empty for other
   * types than whole numbers and dates.
   *
   * @param translation Spark's, for the schema of the file
   */
  Optional<FilterPredicate> predicate(ParquetFilters translation) {
    return filter()
        .flatMap(filter -> OptionConverters.toJava(translation.createFilter(filter)))
        .map(this::refined);
  }

  /** What Spark's filters can say of the keys: one value, or their bounds. */
  private Optional<Filter> filter() {
    if (keys.ranges().isEmpty()) {
      return literal(type instanceof LongType ? Long.MAX_VALUE : Integer.MAX_VALUE)
          .map(most -> new GreaterThan(column, most));
    }
    KeyRanges.Range bounds = keys.bounds();
    return literal(bounds.least())
        .map(
            least ->
                bounds.least() == bounds.greatest()
                    ? new EqualTo(column, least)
                    : new And(
                        new GreaterThanOrEqual(column, least),
                        new LessThanOrEqual(column, literal(bounds.greatest()).orElseThrow())));
  }

  private Optional<Object> literal(long value) {
    if (type instanceof IntegerType) {
      return Optional.of((int) value);
    } else if (type instanceof LongType) {
      return Optional.of(value);
    }
    return type instanceof DateType ? Optional.of(LocalDate.ofEpochDay(value)) : Optional.empty();
  }

  /** Adds what Spark's filters do not say: the gaps between the ranges. */
  private FilterPredicate refined(FilterPredicate bounds) {
    if (keys.ranges().size() <= 1
        || (type instanceof DateType && keys.bounds().least() < FIRST_GREGORIAN_DAY)
        || !(bounds instanceof Operators.And both)
        || !(both.getLeft() instanceof Operators.GtEq<?> least)) {
      return bounds;
    }
    if (least.getColumn() instanceof Operators.IntColumn ints) {
      return FilterApi.and(bounds, FilterApi.userDefined(ints, new InRanges<Integer>(keys)));
    }
    return least.getColumn() instanceof Operators.LongColumn longs
        ? FilterApi.and(bounds, FilterApi.userDefined(longs, new InRanges<Long>(keys)))
        : bounds;
  }

  /** Rows of a whole number in one of the ranges; no row with a null. */
  private static final class InRanges<T extends Number & Comparable<T>>
      extends UserDefinedPredicate<T> implements Serializable {
    private static final long serialVersionUID = 1;

    private final KeyRanges keys;

    InRanges(KeyRanges keys) {
      this.keys = keys;
    }

    @Override
    public boolean acceptsNullValue() {
      return false;
    }

    @Override
    public boolean keep(T value) {
      return keys.contains(value.longValue());
    }

    @Override
    public boolean canDrop(Statistics<T> statistics) {
      return !keys.overlaps(statistics.getMin().longValue(), statistics.getMax().longValue());
    }

    @Override
    public boolean inverseCanDrop(Statistics<T> statistics) {
      return false;
    }
  }
}
