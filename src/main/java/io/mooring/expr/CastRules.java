package io.mooring.expr;

import io.mooring.columnar.ScalarTypes;
import io.mooring.expr.DeviceExpr.Mode;
import io.mooring.expr.ExpressionRule.ExpressionTranslator;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.TimeZoneAwareExpression;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DecimalType;
import org.jspecify.annotations.Nullable;

/** Translations of casts. */
final class CastRules {
  static final List<ExpressionRule<?>> RULES =
      List.of(
          new ExpressionRule<>(
              Cast.class,
              "cast(a as type)",
              "numbers and booleans to numbers and booleans, but decimal to float; floating point to"
                  + " decimal, where Spark computes the rows of a unit with more than 14 digits"
                  + " down to the last place; dates to timestamps and back;"
                  + " integers, decimals, booleans, dates and timestamps to strings; strings to integers, where Spark"
                  + " computes the rows of a unit with numbers that are not digits alone, or more"
                  + " than 18 of them, and under ANSI mode those with strings that are no number;"
                  + " strings to decimals, where Spark computes the rows of a unit with exponents,"
                  + " digits that are not ASCII, or numbers that have more than 38 digits with the one"
                  + " that rounds them, and under ANSI mode those with strings that do not fit;"
                  + " timestamps to integers and back; strings to dates and timestamps, where Spark"
                  + " computes the rows of a unit with other forms than `2026-01-31` and"
                  + " `2026-01-31 23:59:59.999999`",
              CastRules::cast));

  private CastRules() {}

  private static DeviceExpr cast(Cast e, ExpressionTranslator t)
      throws UnsupportedExpressionException {
    DataType from = e.child().dataType();
    DataType to = e.dataType();
    DeviceExpr child = t.translate(e.child());
    if (from.equals(to)) {
      return child;
    }
    DeviceExpr timed = ofTimes(e, child);
    if (timed != null) {
      return timed;
    }
    boolean dated = isTime(from) && isTime(to);
    boolean ofString = from.equals(DataTypes.StringType);
    boolean parsed = ofString && ScalarTypes.isInteger(to);
    if ((parsed || ScalarTypes.isFloating(from)) && e.evalMode().toString().equals("TRY")) {
      // The types differ in which values fail at the ends of the range of longs.
      throw new UnsupportedExpressionException("try_cast of " + from.sql());
    } else if (ScalarTypes.isDecimal(from) && to.equals(DataTypes.StringType)) {
      // Spark decides by this whether it writes exponents: try_cast does not either.
      return new DeviceExpr.Cast(child, to, e.ansiEnabled() ? Mode.ANSI : Mode.LEGACY);
    } else if (!dated
        && !parsed
        && !(ofString && ScalarTypes.isDecimal(to))
        && !isText(from, to)
        && !isNumeric(from, to)) {
      throw new UnsupportedExpressionException("cast of " + from.sql() + " to " + to.sql());
    }
    return new DeviceExpr.Cast(
        child, to, ArithmeticRules.mode(e.evalMode()), dated ? zone(e) : ZoneOffset.UTC);
  }

  /** A cast between timestamps and numbers, or strings and times; null for another one. */
  private static @Nullable DeviceExpr ofTimes(Cast e, DeviceExpr child)
      throws UnsupportedExpressionException {
    DataType from = e.child().dataType();
    DataType to = e.dataType();
    Mode mode = ArithmeticRules.mode(e.evalMode());
    boolean ofString = from.equals(DataTypes.StringType);
    if (from.equals(DataTypes.TimestampType) && ScalarTypes.isInteger(to)) {
      DeviceExpr seconds = new UnixTime(UnixTime.Function.SECONDS, child, DataTypes.LongType);
      return to.equals(DataTypes.LongType)
          ? seconds
          // Without ANSI mode, versions of Spark differ in what does not fit: null, or its last
          // bytes.
          : new DeviceExpr.Cast(seconds, to, mode == Mode.LEGACY ? Mode.ANSI : mode);
    } else if (ScalarTypes.isInteger(from) && to.equals(DataTypes.TimestampType)) {
      return TimestampRules.ofNumber(UnixTime.Function.OF_SECONDS, child, e);
    } else if (ofString && isTime(to)) {
      ZoneId zone = to.equals(DataTypes.DateType) ? ZoneOffset.UTC : zone(e);
      return new TimeText(TimeText.Function.PARSE, child, to, "", mode, zone);
    } else if (from.equals(DataTypes.TimestampType) && to.equals(DataTypes.StringType)) {
      return new TimeText(TimeText.Function.PRINT, child, to, "", mode, zone(e));
    }
    return null;
  }

  private static boolean isTime(DataType type) {
    return type.equals(DataTypes.DateType) || type.equals(DataTypes.TimestampType);
  }

  /** Whether values of a type that is no decimal are cast to strings. */
  private static boolean isText(DataType from, DataType to) {
    return to.equals(DataTypes.StringType)
        && (ScalarTypes.isInteger(from)
            || from.equals(DataTypes.BooleanType)
            || from.equals(DataTypes.DateType));
  }

  private static boolean isNumeric(DataType from, DataType to) {
    boolean fromTruth = from.equals(DataTypes.BooleanType);
    if (!fromTruth && !ScalarTypes.isNumber(from)) {
      return false;
    } else if (to.equals(DataTypes.BooleanType)) {
      return true;
    } else if (to instanceof DecimalType) {
      return !fromTruth;
    }
    return ScalarTypes.isNumber(to)
        && !(from instanceof DecimalType && to.equals(DataTypes.FloatType));
  }

  /** The time zone of an expression; a {@link ZoneOffset} where its offset never changes. */
  static ZoneId zone(TimeZoneAwareExpression e) {
    return e.zoneId().normalized();
  }
}
