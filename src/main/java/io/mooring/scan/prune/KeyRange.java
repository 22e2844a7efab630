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
 * Values of a column outside of which no row leaves a stage, as no key of a join's build side
 * equals them.
 *
 * @param column the ordinal among the columns that the scan puts out
 * @param least days for a date; greater than {@code greatest} where no row leaves at all
 * @param greatest included
 */
public record KeyRange(int column, long least, long greatest) {
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
