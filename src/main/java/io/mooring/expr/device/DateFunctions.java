package io.mooring.expr.device;

import static org.apache.spark.sql.catalyst.util.DateTimeConstants.MICROS_PER_DAY;
import static org.apache.spark.sql.catalyst.util.DateTimeConstants.MICROS_PER_HOUR;
import static org.apache.spark.sql.catalyst.util.DateTimeConstants.MICROS_PER_MILLIS;
import static org.apache.spark.sql.catalyst.util.DateTimeConstants.MICROS_PER_MINUTE;
import static org.apache.spark.sql.catalyst.util.DateTimeConstants.MICROS_PER_SECOND;

import ai.rapids.cudf.BinaryOp;
import ai.rapids.cudf.BinaryOperable;
import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.ColumnView;
import ai.rapids.cudf.DType;
import ai.rapids.cudf.Scalar;
import io.mooring.expr.DateFunction;
import io.mooring.expr.DateFunction.Function;
import io.mooring.expr.DeviceExpr;
import java.math.BigInteger;
import java.time.ZoneId;
import java.util.List;
import org.apache.spark.sql.types.DataTypes;

/** Functions of dates, in the proleptic Gregorian calendar, and of timestamps. */
final class DateFunctions {
  // libcudf counts years in 16 bits.
  static final int MOST_DAYS = 10_000_000;
  private static final int MOST_MONTHS = 12 * 2_000;
  // The years 1 to 9999.
  private static final int FIRST_DAY = -719_162;
  private static final int LAST_DAY = 2_932_896;

  private DateFunctions() {}

  static ColumnView values(DateFunction function, Evaluation e) {
    List<DeviceExpr> arguments = function.children();
    if (arguments.size() == 2) {
      return calculated(function.function(), arguments, e);
    }
    ColumnVector child = e.asked(e.column(arguments.get(0)));
    ColumnView filled = filled(child, e);
    ColumnView result =
        arguments.get(0).type().equals(DataTypes.TimestampType)
            ? ofTimestamps(function, filled, e)
            : truncated(function.function(), checked(filled, e), e);
    return withNullsOf(child, result, e);
  }

  /**
   * Dates or timestamps with 1970 in place of nulls. libcudf computes null rows as well, and the
   * arbitrary values there can index beyond its tables of months.
   */
  private static ColumnView filled(ColumnView times, Evaluation e) {
    if (times.getNullCount() == 0) {
      return times;
    }
    Scalar epoch =
        times.getType().equals(DType.TIMESTAMP_DAYS)
            ? Scalar.timestampDaysFromInt(0)
            : Scalar.timestampFromLong(times.getType(), 0);
    return e.keep(times.replaceNulls(e.keep(epoch)));
  }

  static ColumnView withNullsOf(ColumnView origin, ColumnView values, Evaluation e) {
    return origin.getNullCount() == 0 ? values : e.nullWhere(e.keep(origin.isNull()), values);
  }

  /** Dates as days since 1970. */
  private static ColumnView days(ColumnView dates, Evaluation e) {
    return e.bits(dates, DType.INT32);
  }

  private static ColumnView dates(ColumnView days, Evaluation e) {
    return e.bits(days, DType.TIMESTAMP_DAYS);
  }

  private static ColumnView checked(ColumnView dates, Evaluation e) {
    requireAtMost(days(dates, e), MOST_DAYS, e);
    return dates;
  }

  private static void requireAtMost(ColumnView numbers, long most, Evaluation e) {
    if (e.magnitude(numbers).compareTo(BigInteger.valueOf(most)) > 0) {
      throw new SparkFallbackException("a date or a number of months out of range");
    }
  }

  static void requireFourDigits(ColumnView dates, Evaluation e) {
    ColumnView days = days(dates, e);
    ColumnVector before = e.test(BinaryOp.LESS, days, e.number(FIRST_DAY, DType.INT32));
    ColumnVector after = e.test(BinaryOp.GREATER, days, e.number(LAST_DAY, DType.INT32));
    e.refuse(e.test(BinaryOp.LOGICAL_OR, before, after), "a year that does not have four digits");
  }

  private static ColumnView calculated(
      Function function, List<DeviceExpr> arguments, Evaluation e) {
    if (function == Function.ADD_MONTHS) {
      return plusMonths(arguments, e);
    }
    ColumnView left = e.column(arguments.get(0));
    boolean dates = arguments.get(1).type().equals(DataTypes.DateType);
    ColumnView right = e.column(arguments.get(1));
    BinaryOperable number = dates ? days(right, e) : e.cast(right, DType.INT32);
    BinaryOp operator = function == Function.ADD_DAYS ? BinaryOp.ADD : BinaryOp.SUB;
    ColumnVector days = e.binary(operator, days(left, e), number, DType.INT32);
    return function == Function.DAYS_BETWEEN ? days : dates(days, e);
  }

  private static ColumnView plusMonths(List<DeviceExpr> arguments, Evaluation e) {
    ColumnVector dates = e.asked(e.column(arguments.get(0)));
    ColumnVector number = e.cast(e.asked(e.column(arguments.get(1))), DType.INT32);
    requireAtMost(number, MOST_MONTHS, e);
    ColumnView months =
        number.getNullCount() == 0 ? number : e.keep(number.replaceNulls(e.number(0, DType.INT32)));
    ColumnView sum = e.keep(checked(filled(dates, e), e).addCalendricalMonths(months));
    return withNullsOf(number, withNullsOf(dates, sum, e), e);
  }

  /** A function whose result is a date, or a field of a date. */
  private static ColumnView truncated(Function function, ColumnView dates, Evaluation e) {
    return switch (function) {
      case LAST_DAY -> e.keep(dates.lastDayOfMonth());
      case TRUNC_YEAR -> back(dates, e.keep(dates.dayOfYear()), 1, e);
      case TRUNC_MONTH -> back(dates, e.keep(dates.day()), 1, e);
      case TRUNC_WEEK -> back(dates, e.keep(dates.weekDay()), 1, e);
      case TRUNC_QUARTER -> {
        ColumnView month = e.cast(e.keep(dates.month()), DType.INT32);
        ColumnVector next = plus(month, -1, e);
        ColumnVector more = e.binary(BinaryOp.MOD, next, e.number(3, DType.INT32), DType.INT32);
        ColumnVector before = e.binary(BinaryOp.SUB, e.number(0, DType.INT32), more, DType.INT32);
        ColumnView first = back(dates, e.keep(dates.day()), 1, e);
        yield e.keep(first.addCalendricalMonths(before));
      }
      default -> e.cast(part(function, dates, e), DType.INT32);
    };
  }

  private static ColumnView part(Function function, ColumnView dates, Evaluation e) {
    return switch (function) {
      case YEAR -> e.keep(dates.year());
      case QUARTER -> e.keep(dates.quarterOfYear());
      case MONTH -> e.keep(dates.month());
      case DAY -> e.keep(dates.day());
      case DAY_OF_YEAR -> e.keep(dates.dayOfYear());
        // libcudf counts from Monday as one, Spark from Sunday as one or Monday as zero.
      case DAY_OF_WEEK -> {
        ColumnView iso = e.cast(e.keep(dates.weekDay()), DType.INT32);
        ColumnVector rest = e.binary(BinaryOp.MOD, iso, e.number(7, DType.INT32), DType.INT32);
        yield plus(rest, 1, e);
      }
      case WEEKDAY -> plus(e.cast(e.keep(dates.weekDay()), DType.INT32), -1, e);
        // A week has the number of its Thursday's week in the Thursday's year.
      case WEEK_OF_YEAR -> {
        ColumnView thursday = back(dates, e.keep(dates.weekDay()), 4, e);
        ColumnView day = e.cast(e.keep(thursday.dayOfYear()), DType.INT32);
        ColumnVector weeks =
            e.binary(BinaryOp.DIV, plus(day, -1, e), e.number(7, DType.INT32), DType.INT32);
        yield plus(weeks, 1, e);
      }
      default -> throw new IllegalArgumentException("No field of dates: " + function);
    };
  }

  private static ColumnVector plus(ColumnView numbers, int more, Evaluation e) {
    return e.binary(BinaryOp.ADD, numbers, e.number(more, DType.INT32), DType.INT32);
  }

  /** Dates moved back by some days, and forward by some. */
  private static ColumnView back(ColumnView dates, ColumnView number, int more, Evaluation e) {
    ColumnView days = days(dates, e);
    ColumnVector before = e.binary(BinaryOp.SUB, days, e.cast(number, DType.INT32), DType.INT32);
    return dates(plus(before, more, e), e);
  }

  private static ColumnView ofTimestamps(DateFunction function, ColumnView child, Evaluation e) {
    ZonedTimes zoned = checkedTimes(child, function.zone(), e);
    return switch (function.function()) {
      case HOUR -> e.cast(e.keep(zoned.local(child).hour()), DType.INT32);
      case MINUTE -> e.cast(e.keep(zoned.local(child).minute()), DType.INT32);
      case SECOND -> e.cast(e.keep(zoned.local(child).second()), DType.INT32);
      case TRUNC_DAY -> zoned.truncated(child, MICROS_PER_DAY);
      case TRUNC_HOUR -> zoned.truncated(child, MICROS_PER_HOUR);
      case TRUNC_MINUTE -> zoned.truncated(child, MICROS_PER_MINUTE);
        // Offsets are whole seconds.
      case TRUNC_SECOND -> zoned.timestamps(zoned.floor(zoned.micros(child), MICROS_PER_SECOND));
      case TRUNC_MILLISECOND ->
          zoned.timestamps(zoned.floor(zoned.micros(child), MICROS_PER_MILLIS));
      case TRUNC_MICROSECOND -> child;
      default -> {
        ColumnVector dates = e.cast(zoned.local(child), DType.TIMESTAMP_DAYS);
        ColumnView first = truncated(function.function(), dates, e);
        yield zoned.startsOfDays(e.cast(first, DType.TIMESTAMP_MICROSECONDS));
      }
    };
  }

  /**
   * The local times of timestamps in a zone, in 1970 for nulls.
   *
   * @throws SparkFallbackException where a year does not have four digits
   */
  static ColumnView local(ColumnVector timestamps, ZoneId zone, Evaluation e) {
    ColumnView filled = filled(timestamps, e);
    ColumnView local = checkedTimes(filled, zone, e).local(filled);
    requireFourDigits(e.cast(local, DType.TIMESTAMP_DAYS), e);
    return local;
  }

  private static ZonedTimes checkedTimes(ColumnView timestamps, ZoneId zone, Evaluation e) {
    ZonedTimes zoned = new ZonedTimes(zone, e);
    requireAtMost(zoned.micros(timestamps), zoned.mostMicros(), e);
    return zoned;
  }

  /** The timestamps at which dates begin in a time zone. */
  static ColumnView timestamps(ColumnView dates, ZoneId zone, Evaluation e) {
    ZonedTimes zoned = new ZonedTimes(zone, e);
    requireAtMost(days(dates, e), zoned.mostMicros() / MICROS_PER_DAY, e);
    return zoned.startsOfDays(e.cast(dates, DType.TIMESTAMP_MICROSECONDS));
  }

  /** The dates of timestamps in a time zone. */
  static ColumnView dates(ColumnView timestamps, ZoneId zone, Evaluation e) {
    ColumnView local = checkedTimes(timestamps, zone, e).local(timestamps);
    return e.cast(local, DType.TIMESTAMP_DAYS);
  }
}
