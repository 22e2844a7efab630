package io.mooring.expr;

import io.mooring.columnar.ScalarTypes;
import io.mooring.expr.DeviceExpr.Mode;
import io.mooring.expr.ExpressionRule.ExpressionTranslator;
import io.mooring.expr.UnixTime.Function;
import java.time.ZoneId;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.DateFormatClass;
import org.apache.spark.sql.catalyst.expressions.DateFromUnixDate;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.FromUnixTime;
import org.apache.spark.sql.catalyst.expressions.MicrosToTimestamp;
import org.apache.spark.sql.catalyst.expressions.MillisToTimestamp;
import org.apache.spark.sql.catalyst.expressions.SecondsToTimestamp;
import org.apache.spark.sql.catalyst.expressions.TimeZoneAwareExpression;
import org.apache.spark.sql.catalyst.expressions.ToUnixTimestamp;
import org.apache.spark.sql.catalyst.expressions.UnixDate;
import org.apache.spark.sql.catalyst.expressions.UnixMicros;
import org.apache.spark.sql.catalyst.expressions.UnixMillis;
import org.apache.spark.sql.catalyst.expressions.UnixSeconds;
import org.apache.spark.sql.catalyst.expressions.UnixTimestamp;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;

/** Translations of functions between timestamps, numbers and strings. */
final class TimestampRules {
  private static final String SMALL =
      "Spark computes the rows of a unit with timestamps that are out of range";
  private static final String YEARS =
      "; Spark computes the rows of a unit with years that do not have four digits";

  static final List<ExpressionRule<?>> RULES =
      List.of(
          new ExpressionRule<>(
              UnixSeconds.class, "unix_seconds(t)", "", (e, t) -> number(Function.SECONDS, e, t)),
          new ExpressionRule<>(
              UnixMillis.class, "unix_millis(t)", "", (e, t) -> number(Function.MILLIS, e, t)),
          new ExpressionRule<>(
              UnixMicros.class, "unix_micros(t)", "", (e, t) -> number(Function.MICROS, e, t)),
          new ExpressionRule<>(
              UnixDate.class, "unix_date(d)", "", (e, t) -> number(Function.DAYS, e, t)),
          new ExpressionRule<>(
              UnixTimestamp.class,
              "unix_timestamp(t)",
              "of timestamps and dates",
              (e, t) -> seconds(e.timeExp(), e, t)),
          new ExpressionRule<>(
              ToUnixTimestamp.class,
              "to_unix_timestamp(t)",
              "of timestamps and dates",
              (e, t) -> seconds(e.timeExp(), e, t)),
          new ExpressionRule<>(
              SecondsToTimestamp.class,
              "timestamp_seconds(n)",
              "integers; " + SMALL,
              (e, t) -> ofNumber(Function.OF_SECONDS, t.translate(e.child()), e)),
          new ExpressionRule<>(
              MillisToTimestamp.class,
              "timestamp_millis(n)",
              "integers; " + SMALL,
              (e, t) -> ofNumber(Function.OF_MILLIS, t.translate(e.child()), e)),
          new ExpressionRule<>(
              MicrosToTimestamp.class,
              "timestamp_micros(n)",
              "integers",
              (e, t) -> ofNumber(Function.OF_MICROS, t.translate(e.child()), e)),
          new ExpressionRule<>(
              DateFromUnixDate.class,
              "date_from_unix_date(n)",
              "",
              (e, t) -> number(Function.OF_DAYS, e, t)),
          new ExpressionRule<>(
              DateFormatClass.class,
              "date_format(t, pattern)",
              TimePatterns.CONDITIONS + YEARS,
              (e, t) -> format(t.translate(e.left()), e.right(), e)),
          new ExpressionRule<>(
              FromUnixTime.class,
              "from_unixtime(n, pattern)",
              TimePatterns.CONDITIONS + YEARS,
              (e, t) ->
                  format(ofNumber(Function.OF_SECONDS, t.translate(e.sec()), e), e.format(), e)));

  private TimestampRules() {}

  private static DeviceExpr number(Function function, Expression e, ExpressionTranslator t)
      throws UnsupportedExpressionException {
    return new UnixTime(function, t.all(e.children()).get(0), e.dataType());
  }

  private static <E extends Expression & TimeZoneAwareExpression> DeviceExpr seconds(
      Expression time, E e, ExpressionTranslator t) throws UnsupportedExpressionException {
    DeviceExpr child = t.translate(time);
    if (time.dataType().equals(DataTypes.DateType)) {
      ZoneId zone = CastRules.zone(e);
      child = new DeviceExpr.Cast(child, DataTypes.TimestampType, Mode.LEGACY, zone);
    } else if (!time.dataType().equals(DataTypes.TimestampType)) {
      throw new UnsupportedExpressionException(e.prettyName() + " of " + time.dataType().sql());
    }
    return new UnixTime(Function.WHOLE_SECONDS, child, e.dataType());
  }

  /** Timestamps out of integers. */
  static DeviceExpr ofNumber(Function function, DeviceExpr number, Expression e)
      throws UnsupportedExpressionException {
    DataType type = number.type();
    if (!ScalarTypes.isInteger(type)) {
      throw new UnsupportedExpressionException(e.prettyName() + " of " + type.sql());
    }
    DeviceExpr wide =
        type.equals(DataTypes.LongType)
            ? number
            : new DeviceExpr.Cast(number, DataTypes.LongType, Mode.LEGACY);
    return new UnixTime(function, wide, DataTypes.TimestampType);
  }

  private static <E extends Expression & TimeZoneAwareExpression> DeviceExpr format(
      DeviceExpr time, Expression pattern, E e) throws UnsupportedExpressionException {
    return new TimeText(
        TimeText.Function.FORMAT,
        time,
        DataTypes.StringType,
        TimePatterns.translate(pattern, e),
        Mode.LEGACY,
        CastRules.zone(e));
  }
}
