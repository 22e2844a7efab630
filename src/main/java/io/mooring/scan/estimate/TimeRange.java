package io.mooring.scan.estimate;

import java.util.List;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.DateLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimestampLogicalTypeAnnotation;
import org.jspecify.annotations.Nullable;

/**
 * The least and the greatest time of a column in one file: dates in days, or timestamps in
 * microseconds, since 1970. Immutable.
 */
public record TimeRange(double least, double greatest) {
  private static final double DAYS_PER_YEAR = 365.2425;
  private static final double MICROS_PER_YEAR = DAYS_PER_YEAR * 86_400e6;

  // Times outside of 1971 to 2036 often stand for none.
  private static final double FIRST_YEAR = 1;
  private static final double LAST_YEAR = 67;

  /** The range of all chunks of a column, at least one; null without statistics of times. */
  static @Nullable TimeRange of(List<ChunkValues> chunks) {
    if (!chunks.stream().allMatch(ChunkValues::isInteger)) {
      return null;
    }
    LogicalTypeAnnotation type =
        chunks.get(0).chunk().getPrimitiveType().getLogicalTypeAnnotation();
    double unit = unit(type);
    double year = type instanceof DateLogicalTypeAnnotation ? DAYS_PER_YEAR : MICROS_PER_YEAR;
    double least = unit * chunks.stream().mapToDouble(ChunkValues::min).min().orElseThrow();
    double greatest = unit * chunks.stream().mapToDouble(ChunkValues::max).max().orElseThrow();
    boolean known = unit > 0 && least >= FIRST_YEAR * year && greatest <= LAST_YEAR * year;
    return known ? new TimeRange(least, greatest) : null;
  }

  /** Days or microseconds in a unit of a type; 0 for a type that is not of times. */
  private static double unit(@Nullable LogicalTypeAnnotation type) {
    if (type instanceof TimestampLogicalTypeAnnotation timestamp) {
      return switch (timestamp.getUnit()) {
        case MILLIS -> 1e3;
        case MICROS -> 1;
        case NANOS -> 1e-3;
      };
    }
    return type instanceof DateLogicalTypeAnnotation ? 1 : 0;
  }

  /**
   * The part of the range that lies between two times, if times are spread evenly; 1 if nothing
   * does, because other files may have other times.
   *
   * @param from the first time; may be negative infinity
   * @param to the last time; may be infinity
   */
  public double share(double from, double to) {
    double part = Math.min(to, greatest) - Math.max(from, least);
    return greatest <= least || part < 0 ? 1 : part / (greatest - least);
  }
}
