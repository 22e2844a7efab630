package io.mooring.scan.prune;

import java.time.LocalDate;
import java.util.Optional;
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

/**
 * A range of whole numbers; dates count in days.
 *
 * @param greatest included; not less than {@code least} but in an intersection without values
 */
public record KeyRange(long least, long greatest) {

  /** The values that are in another range as well. */
  KeyRange intersect(KeyRange other) {
    return new KeyRange(Math.max(least, other.least), Math.min(greatest, other.greatest));
  }

  /** A filter on a column of this type in files; empty for other types than whole numbers. */
  Optional<Filter> filter(String name, DataType type) {
    return least == greatest
        ? literal(type, least).map(only -> new EqualTo(name, only))
        : bounds(name, type);
  }

  /** The same by statistics alone: an equality would have dictionaries read. */
  Optional<Filter> bounds(String name, DataType type) {
    return literal(type, least)
        .map(
            from ->
                new And(
                    new GreaterThanOrEqual(name, from),
                    new LessThanOrEqual(name, literal(type, greatest).orElseThrow())));
  }

  /** A filter that no value of such a column passes; empty for other types than whole numbers. */
  static Optional<Filter> nothing(String name, DataType type) {
    return literal(type, type instanceof LongType ? Long.MAX_VALUE : Integer.MAX_VALUE)
        .map(most -> new GreaterThan(name, most));
  }

  private static Optional<Object> literal(DataType type, long value) {
    if (type instanceof IntegerType) {
      return Optional.of((int) value);
    } else if (type instanceof LongType) {
      return Optional.of(value);
    }
    return type instanceof DateType ? Optional.of(LocalDate.ofEpochDay(value)) : Optional.empty();
  }
}
