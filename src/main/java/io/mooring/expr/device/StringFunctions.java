package io.mooring.expr.device;

import ai.rapids.cudf.BinaryOp;
import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.ColumnView;
import ai.rapids.cudf.DType;
import ai.rapids.cudf.PadSide;
import ai.rapids.cudf.Scalar;
import io.mooring.expr.DeviceExpr;
import io.mooring.expr.StringFunction;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Functions of strings; lengths and positions count code points. */
final class StringFunctions {
  private StringFunctions() {}

  static ColumnView values(StringFunction function, Evaluation e) {
    List<DeviceExpr> arguments = function.children();
    ColumnVector text = e.asked(e.column(arguments.get(0)));
    return switch (function.function()) {
      case LENGTH -> e.keep(text.getCharLengths());
      case OCTET_LENGTH -> e.keep(text.getByteCount());
      case REVERSE -> e.keep(text.reverseStringsOrLists());
      case UPPER -> e.keep(ascii(text, e).upper());
      case LOWER -> e.keep(ascii(text, e).lower());
      case TRIM -> e.keep(text.strip(e.text(" ")));
      case TRIM_LEFT -> e.keep(text.lstrip(e.text(" ")));
      case TRIM_RIGHT -> e.keep(text.rstrip(e.text(" ")));
      case CONCAT ->
          e.keep(
              ColumnVector.stringConcatenate(
                  arguments.stream().map(e::column).toArray(ColumnView[]::new)));
      case CONCAT_WS -> joined(text, arguments, e);
      case PAD_LEFT -> padded(text, PadSide.LEFT, arguments, e);
      case PAD_RIGHT -> padded(text, PadSide.RIGHT, arguments, e);
      case REPLACE ->
          e.keep(text.stringReplace(pattern(arguments, e), scalar(arguments.get(2), e)));
      case TRANSLATE ->
          StringEdits.translated(text, string(arguments.get(1)), string(arguments.get(2)), e);
      case REPEAT -> StringEdits.repeated(text, integer(arguments.get(1)), e);
      case SUBSTRING_INDEX ->
          StringEdits.cut(text, string(arguments.get(1)), integer(arguments.get(2)), e);
      case LOCATE ->
          e.binary(
              BinaryOp.ADD,
              e.keep(text.stringLocate(pattern(arguments, e))),
              e.number(1, DType.INT32),
              DType.INT32);
      case SUBSTRING -> substring(text, integer(arguments.get(1)), integer(arguments.get(2)), e);
      case STARTS_WITH -> e.keep(text.startsWith(pattern(arguments, e)));
      case ENDS_WITH -> e.keep(text.endsWith(pattern(arguments, e)));
      case CONTAINS -> e.keep(text.stringContains(pattern(arguments, e)));
      case LIKE -> like(text, arguments, e);
      case RLIKE -> RegexFunctions.found(text, pattern(arguments, e), e);
      case REGEXP_REPLACE ->
          RegexFunctions.replaced(text, pattern(arguments, e), scalar(arguments.get(2), e), e);
      case REGEXP_REPLACE_GROUPS ->
          RegexFunctions.rewritten(text, pattern(arguments, e), scalar(arguments.get(2), e), e);
      case REGEXP_GROUP_OR_TEXT -> RegexFunctions.groupOrText(text, pattern(arguments, e), e);
      case REGEXP_EXTRACT -> RegexFunctions.extracted(text, pattern(arguments, e), e);
    };
  }

  /** The strings that are not null, with the separator between them. */
  private static ColumnView joined(ColumnVector first, List<DeviceExpr> arguments, Evaluation e) {
    int last = arguments.size() - 1;
    List<ColumnView> texts = new ArrayList<>(List.of(first));
    arguments.subList(1, last).forEach(argument -> texts.add(e.column(argument)));
    // One column more, because libcudf takes at least two.
    texts.add(e.asColumn(e.keep(Scalar.fromNull(DType.STRING))));
    Scalar separator = scalar(arguments.get(last), e);
    Scalar nothing = e.text("");
    return e.keep(
        ColumnVector.stringConcatenate(
            separator, nothing, texts.toArray(ColumnView[]::new), false));
  }

  /** Strings of just so many characters. */
  private static ColumnView padded(
      ColumnVector text, PadSide side, List<DeviceExpr> arguments, Evaluation e) {
    int length = Math.max(0, integer(arguments.get(1)));
    ColumnVector cut = e.keep(text.substring(0, length));
    return e.keep(cut.pad(length, side, scalar(arguments.get(2), e).getJavaString()));
  }

  /**
   * LIKE. After a wildcard, libcudf searches the last characters of a pattern backwards from the
   * end of a long string, and goes back too far where the rest has fewer characters than bytes.
   */
  private static ColumnView like(ColumnVector text, List<DeviceExpr> arguments, Evaluation e) {
    Scalar pattern = pattern(arguments, e);
    String wildcards =
        pattern.getJavaString().replaceAll(StringFunction.LIKE_ESCAPE + "(?s).", "x");
    boolean tail = wildcards.contains("%") && !wildcards.endsWith("%");
    Scalar escape = e.text(String.valueOf(StringFunction.LIKE_ESCAPE));
    return e.keep((tail ? ascii(text, e) : text).like(pattern, escape));
  }

  private static Scalar pattern(List<DeviceExpr> arguments, Evaluation e) {
    return scalar(arguments.get(1), e);
  }

  private static Scalar scalar(DeviceExpr literal, Evaluation e) {
    return (Scalar) e.operand(literal);
  }

  private static String string(DeviceExpr literal) {
    return String.valueOf(((DeviceExpr.Literal) literal).value());
  }

  private static int integer(DeviceExpr literal) {
    return (Integer) Objects.requireNonNull(((DeviceExpr.Literal) literal).value());
  }

  /**
   * The strings, if each character is a byte: libcudf's case of other characters is not Spark's.
   */
  private static ColumnVector ascii(ColumnVector text, Evaluation e) {
    ColumnVector characters = e.keep(text.getCharLengths());
    ColumnVector bytes = e.keep(text.getByteCount());
    e.refuse(e.test(BinaryOp.NOT_EQUAL, characters, bytes), "characters that are not ASCII");
    return text;
  }

  /**
   * The substring from a position: 0 and 1 are the first character, negative positions count from
   * the end.
   */
  private static ColumnView substring(ColumnVector text, int place, int length, Evaluation e) {
    if (place >= 0) {
      int start = Math.max(place - 1, 0);
      long end = Math.max(start + (long) length, start);
      return e.keep(text.substring(start, (int) Math.min(end, Integer.MAX_VALUE)));
    }
    Scalar none = e.number(0, DType.INT32);
    ColumnVector lengths = e.keep(e.keep(text.getCharLengths()).replaceNulls(none));
    ColumnVector start = e.binary(BinaryOp.ADD, lengths, e.number(place, DType.INT32), DType.INT32);
    // Spark caps sums that overflow an int; lengths are not negative.
    long last = Math.max((long) place + length, Integer.MIN_VALUE);
    ColumnVector end = e.binary(BinaryOp.ADD, lengths, e.number(last, DType.INT64), DType.INT64);
    ColumnVector low = e.binary(BinaryOp.NULL_MAX, end, e.number(0, DType.INT64), DType.INT64);
    ColumnVector capped = e.binary(BinaryOp.NULL_MIN, low, lengths, DType.INT64);
    return e.keep(
        text.substring(
            e.binary(BinaryOp.NULL_MAX, start, none, DType.INT32), e.cast(capped, DType.INT32)));
  }
}
