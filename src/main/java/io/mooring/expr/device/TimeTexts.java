package io.mooring.expr.device;

import static org.apache.spark.sql.catalyst.util.DateTimeConstants.MICROS_PER_SECOND;

import ai.rapids.cudf.BinaryOp;
import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.ColumnView;
import ai.rapids.cudf.DType;
import ai.rapids.cudf.PadSide;
import ai.rapids.cudf.RegexProgram;
import ai.rapids.cudf.Scalar;
import io.mooring.expr.DeviceExpr.Mode;
import io.mooring.expr.TimeText;
import java.math.BigInteger;
import org.apache.spark.sql.types.DataTypes;

/** Timestamps as strings, and strings as dates or timestamps. */
final class TimeTexts {
  private static final String DAY = "%Y-%m-%d";
  private static final String SECOND = "%Y-%m-%d %H:%M:%S";
  private static final int DIGITS_OF_MICROS = 6;

  private TimeTexts() {}

  static ColumnView values(TimeText node, Evaluation e) {
    ColumnVector child = e.asked(e.column(node.child()));
    return switch (node.function()) {
      case FORMAT -> formatted(node, node.pattern(), child, e);
      case PRINT -> printed(node, child, e);
      case PARSE -> Parser.parsed(node, child, e);
    };
  }

  private static ColumnView formatted(
      TimeText node, String pattern, ColumnVector timestamps, Evaluation e) {
    ColumnView local = e.keep(DateFunctions.local(timestamps, node.zone(), e).asStrings(pattern));
    return DateFunctions.withNullsOf(timestamps, local, e);
  }

  /** Timestamps to the second, and their fraction without zeros at its end. */
  private static ColumnView printed(TimeText node, ColumnVector timestamps, Evaluation e) {
    ColumnView seconds = formatted(node, SECOND, timestamps, e);
    ColumnView micros = e.bits(timestamps, DType.INT64);
    Scalar second = e.number(MICROS_PER_SECOND, DType.INT64);
    // Offsets are whole seconds.
    ColumnVector rest = e.binary(BinaryOp.PMOD, micros, second, DType.INT64);
    if (e.magnitude(rest).equals(BigInteger.ZERO)) {
      return seconds;
    }
    ColumnVector padded = e.keep(e.binary(BinaryOp.ADD, rest, second, DType.INT64).asStrings());
    ColumnVector digits = e.keep(padded.substring(1, 1 + DIGITS_OF_MICROS));
    ColumnVector fraction = e.keep(digits.rstrip(e.text("0")));
    ColumnVector none = e.test(BinaryOp.EQUAL, rest, e.number(0, DType.INT64));
    ColumnVector point = e.select(none, e.text(""), e.text("."));
    return e.keep(ColumnVector.stringConcatenate(new ColumnView[] {seconds, point, fraction}));
  }

  /** Casts of strings of digits to dates and timestamps. */
  private static final class Parser {
    private static final RegexProgram DATE = new RegexProgram("^[0-9]{4}-[0-9]{2}-[0-9]{2}$");
    private static final RegexProgram TIMESTAMP =
        new RegexProgram(
            "^[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]{1,6})?$");
    // Strings of other forms may be times for Spark.
    private static final RegexProgram MAY_BE_A_TIME = new RegexProgram("[0-9]");
    private static final int LENGTH_OF_DATE = 10;
    private static final int LENGTH_OF_SECOND = 19;

    private Parser() {}

    static ColumnView parsed(TimeText node, ColumnVector text, Evaluation e) {
      ColumnVector others = e.isTrue(e.not(isPlain(node, text, e)));
      if (node.mode() == Mode.ANSI) {
        e.refuse(others, "a string that is no time");
      } else {
        ColumnVector may = e.keep(e.nullWhere(e.not(others), text).containsRe(MAY_BE_A_TIME));
        e.refuse(may, "a time of another form");
      }
      ColumnVector plain = e.nullWhere(others, text);
      // The year 0 is written by libcudf in another way than by Spark.
      e.refuse(e.keep(plain.startsWith(e.text("0000"))), "a time in the year 0");
      return node.type().equals(DataTypes.DateType)
          ? settled(node, plain, DType.TIMESTAMP_DAYS, DAY, e)
          : timestamps(node, plain, e);
    }

    /** Whether strings have a form that is parsed here; null where they are. */
    private static ColumnVector isPlain(TimeText node, ColumnVector text, Evaluation e) {
      ColumnVector form = e.keep(text.containsRe(DATE));
      if (!node.type().equals(DataTypes.DateType)) {
        form = e.test(BinaryOp.LOGICAL_OR, form, e.keep(text.containsRe(TIMESTAMP)));
      }
      // The end of a pattern may stand before a line end.
      ColumnVector line = e.keep(text.stringContains(e.text("\n")));
      return e.test(BinaryOp.LOGICAL_AND, form, e.not(line));
    }

    /**
     * Times that are written as the strings are; others, such as the 30th of February, do not
     * exist.
     */
    private static ColumnView settled(
        TimeText node, ColumnVector text, DType type, String pattern, Evaluation e) {
      ColumnVector times = e.keep(text.asTimestamp(type, pattern));
      ColumnVector back = e.keep(times.asStrings(pattern));
      ColumnVector wrong = e.isTrue(e.test(BinaryOp.NOT_EQUAL, back, text));
      return e.settle(node.mode(), wrong, times, "a time that does not exist");
    }

    private static ColumnView timestamps(TimeText node, ColumnVector text, Evaluation e) {
      ColumnVector day = e.keep(text.substring(0, LENGTH_OF_DATE));
      ColumnVector clock = e.keep(text.substring(LENGTH_OF_DATE + 1, LENGTH_OF_SECOND));
      Scalar none = e.text("");
      ColumnVector dates = e.isTrue(e.test(BinaryOp.EQUAL, clock, none));
      ColumnVector whole =
          e.keep(
              ColumnVector.stringConcatenate(
                  new ColumnView[] {
                    day, spaces(text, e), e.select(dates, e.text("00:00:00"), clock)
                  }));
      ColumnView seconds = settled(node, whole, DType.TIMESTAMP_MICROSECONDS, SECOND, e);
      ColumnVector digits =
          e.keep(text.substring(LENGTH_OF_SECOND + 1, LENGTH_OF_SECOND + 1 + DIGITS_OF_MICROS));
      ColumnVector fraction =
          e.cast(e.keep(digits.pad(DIGITS_OF_MICROS, PadSide.RIGHT, "0")), DType.INT64);
      ColumnVector local =
          e.binary(BinaryOp.ADD, e.bits(seconds, DType.INT64), fraction, DType.INT64);
      ZonedTimes zoned = new ZonedTimes(node.zone(), e);
      return zoned.timestamps(zoned.instants(local));
    }

    private static ColumnView spaces(ColumnVector text, Evaluation e) {
      return e.keep(ColumnVector.fromScalar(e.text(" "), Math.toIntExact(text.getRowCount())));
    }
  }
}
