package io.mooring.expr;

import io.mooring.expr.DateFunction.Function;
import io.mooring.expr.ExpressionRule.ExpressionTranslator;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import org.apache.spark.sql.catalyst.expressions.AddMonths;
import org.apache.spark.sql.catalyst.expressions.DateAdd;
import org.apache.spark.sql.catalyst.expressions.DateDiff;
import org.apache.spark.sql.catalyst.expressions.DateSub;
import org.apache.spark.sql.catalyst.expressions.DayOfMonth;
import org.apache.spark.sql.catalyst.expressions.DayOfWeek;
import org.apache.spark.sql.catalyst.expressions.DayOfYear;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Hour;
import org.apache.spark.sql.catalyst.expressions.LastDay;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.Minute;
import org.apache.spark.sql.catalyst.expressions.Month;
import org.apache.spark.sql.catalyst.expressions.Quarter;
import org.apache.spark.sql.catalyst.expressions.Second;
import org.apache.spark.sql.catalyst.expressions.TimeZoneAwareExpression;
import org.apache.spark.sql.catalyst.expressions.TruncDate;
import org.apache.spark.sql.catalyst.expressions.TruncTimestamp;
import org.apache.spark.sql.catalyst.expressions.WeekDay;
import org.apache.spark.sql.catalyst.expressions.WeekOfYear;
import org.apache.spark.sql.catalyst.expressions.Year;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.jspecify.annotations.Nullable;
import scala.jdk.javaapi.CollectionConverters;

/** Translations of functions of dates and timestamps. */
final class DateRules {
  private static final String YEARS =
      "Spark computes the rows of a unit with dates before the year -25000 or after 29000";
  private static final String ZONES =
      "timestamps with time zone, where Spark computes the rows of a unit with years after 10000";

  static final List<ExpressionRule<?>> RULES =
      List.of(
          new ExpressionRule<>(Year.class, "year(d)", YEARS, (e, t) -> dates(Function.YEAR, e, t)),
          new ExpressionRule<>(
              Quarter.class, "quarter(d)", YEARS, (e, t) -> dates(Function.QUARTER, e, t)),
          new ExpressionRule<>(
              Month.class, "month(d)", YEARS, (e, t) -> dates(Function.MONTH, e, t)),
          new ExpressionRule<>(
              DayOfMonth.class, "day(d)", YEARS, (e, t) -> dates(Function.DAY, e, t)),
          new ExpressionRule<>(
              DayOfWeek.class, "dayofweek(d)", YEARS, (e, t) -> dates(Function.DAY_OF_WEEK, e, t)),
          new ExpressionRule<>(
              WeekDay.class, "weekday(d)", YEARS, (e, t) -> dates(Function.WEEKDAY, e, t)),
          new ExpressionRule<>(
              DayOfYear.class, "dayofyear(d)", YEARS, (e, t) -> dates(Function.DAY_OF_YEAR, e, t)),
          new ExpressionRule<>(
              WeekOfYear.class,
              "weekofyear(d)",
              YEARS,
              (e, t) -> dates(Function.WEEK_OF_YEAR, e, t)),
          new ExpressionRule<>(
              LastDay.class, "last_day(d)", YEARS, (e, t) -> dates(Function.LAST_DAY, e, t)),
          new ExpressionRule<>(
              DateAdd.class, "date_add(d, n)", "", (e, t) -> dates(Function.ADD_DAYS, e, t)),
          new ExpressionRule<>(
              DateSub.class, "date_sub(d, n)", "", (e, t) -> dates(Function.SUBTRACT_DAYS, e, t)),
          new ExpressionRule<>(
              DateDiff.class, "datediff(d, e)", "", (e, t) -> dates(Function.DAYS_BETWEEN, e, t)),
          new ExpressionRule<>(
              AddMonths.class,
              "add_months(d, n)",
              YEARS,
              (e, t) -> dates(Function.ADD_MONTHS, e, t)),
          new ExpressionRule<>(
              TruncDate.class,
              "trunc(d, unit)",
              "the unit a literal",
              (e, t) -> trunc(e.format(), e.date(), ZoneOffset.UTC, e, t)),
          new ExpressionRule<>(
              TruncTimestamp.class,
              "date_trunc(unit, t)",
              "the unit a literal; " + ZONES,
              (e, t) -> trunc(e.format(), e.timestamp(), CastRules.zone(e), e, t)),
          new ExpressionRule<>(
              Hour.class, "hour(t)", ZONES, (e, t) -> times(Function.HOUR, e, e.child(), t)),
          new ExpressionRule<>(
              Minute.class, "minute(t)", ZONES, (e, t) -> times(Function.MINUTE, e, e.child(), t)),
          new ExpressionRule<>(
              Second.class, "second(t)", ZONES, (e, t) -> times(Function.SECOND, e, e.child(), t)));

  private DateRules() {}

  private static DeviceExpr dates(Function function, Expression e, ExpressionTranslator t)
      throws UnsupportedExpressionException {
    require(DataTypes.DateType, CollectionConverters.asJava(e.children()).get(0), e);
    return new DateFunction(function, t.all(e.children()), e.dataType(), ZoneOffset.UTC);
  }

  private static <E extends Expression & TimeZoneAwareExpression> DeviceExpr times(
      Function function, E e, Expression child, ExpressionTranslator t)
      throws UnsupportedExpressionException {
    require(DataTypes.TimestampType, child, e);
    return new DateFunction(function, List.of(t.translate(child)), e.dataType(), CastRules.zone(e));
  }

  private static void require(DataType type, Expression child, Expression e)
      throws UnsupportedExpressionException {
    if (!child.dataType().equals(type)) {
      throw new UnsupportedExpressionException(e.prettyName() + " of " + child.dataType().sql());
    }
  }

  private static DeviceExpr trunc(
      Expression format, Expression child, ZoneId zone, Expression e, ExpressionTranslator t)
      throws UnsupportedExpressionException {
    if (!(format instanceof Literal literal) || literal.value() == null) {
      throw new UnsupportedExpressionException(e.prettyName() + " to a unit that is not a literal");
    }
    boolean date = child.dataType().equals(DataTypes.DateType);
    Function unit = unit(literal.value().toString().toUpperCase(Locale.ROOT), date);
    if (unit == null) {
      throw new UnsupportedExpressionException(e.prettyName() + " to unit " + literal.value());
    }
    return new DateFunction(unit, List.of(t.translate(child)), e.dataType(), zone);
  }

  private static @Nullable Function unit(String name, boolean date) {
    Function of =
        switch (name) {
          case "YEAR", "YYYY", "YY" -> Function.TRUNC_YEAR;
          case "QUARTER" -> Function.TRUNC_QUARTER;
          case "MONTH", "MON", "MM" -> Function.TRUNC_MONTH;
          case "WEEK" -> Function.TRUNC_WEEK;
          default -> null;
        };
    if (of != null || date) {
      return of;
    }
    return switch (name) {
      case "DAY", "DD" -> Function.TRUNC_DAY;
      case "HOUR" -> Function.TRUNC_HOUR;
      case "MINUTE" -> Function.TRUNC_MINUTE;
      case "SECOND" -> Function.TRUNC_SECOND;
      case "MILLISECOND" -> Function.TRUNC_MILLISECOND;
      case "MICROSECOND" -> Function.TRUNC_MICROSECOND;
      default -> null;
    };
  }
}
