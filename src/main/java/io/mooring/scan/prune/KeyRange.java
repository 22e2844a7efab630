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
 * The least and the greatest value of a join's key on its build side, without nulls. No row with
 * another value leaves an inner join. Dates count in days.
 *
 * @param least greater than {@code greatest} where there is no value
 * @param greatest included
 */
public record KeyRange(long least, long greatest) {
  /** The range of a key without values. */
  public static final KeyRange EMPTY = new KeyRange(1, 0);

  /** The values that are in another range as well. */
  public KeyRange intersect(KeyRange other) {
    return new KeyRange(Math.max(least, other.least), Math.min(greatest, other.greatest));
  }

  /** A filter on a column of this type in files; empty for other types than whole numbers. */
  public Optional<Filter> filter(String name, DataType type) {
    if (least > greatest) {
      return literal(type, type instanceof LongType ? Long.MAX_VALUE : Integer.MAX_VALUE)
          .map(most -> new GreaterThan(name, most));
    } else if (least == greatest) {
      return literal(type, least).map(only -> new EqualTo(name, only));
    }
    return literal(type, least)
        .map(
            from ->
                new And(
                    new GreaterThanOrEqual(name, from),
                    new LessThanOrEqual(name, literal(type, greatest).orElseThrow())));
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
