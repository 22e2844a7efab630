package io.mooring.expr.device;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.ColumnView;
import ai.rapids.cudf.Table;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Strings repeated, cut at delimiters, or with other characters. */
final class StringEdits {
  /** The replacement by which Spark's translate deletes a character. */
  private static final String DELETED = "\0";

  private StringEdits() {}

  static ColumnView repeated(ColumnVector text, int count, Evaluation e) {
    BigInteger longest = e.magnitude(e.keep(text.getByteCount())).max(BigInteger.ONE);
    BigInteger most = longest.max(BigInteger.valueOf(text.getRowCount()));
    if (most.multiply(BigInteger.valueOf(count)).bitLength() >= Integer.SIZE) {
      // libcudf counts both the bytes of a result and the copies of all rows in ints.
      throw new SparkFallbackException("more repeated strings than fit in a column");
    }
    return e.keep(text.repeatStrings(count));
  }

  /** Strings in which some characters are others, or are left out. */
  static ColumnView translated(ColumnVector text, String from, String to, Evaluation e) {
    Map<String, String> characters = new LinkedHashMap<>();
    List<String> targets = characters(from);
    List<String> replacements = characters(to);
    for (int i = 0; i < targets.size(); i++) {
      String by = i < replacements.size() ? replacements.get(i) : DELETED;
      characters.putIfAbsent(targets.get(i), by.equals(DELETED) ? "" : by);
    }
    return e.keep(
        text.stringReplace(
            e.keep(ColumnVector.fromStrings(characters.keySet().toArray(String[]::new))),
            e.keep(ColumnVector.fromStrings(characters.values().toArray(String[]::new)))));
  }

  private static List<String> characters(String text) {
    return text.codePoints().mapToObj(Character::toString).toList();
  }

  /**
   * The text before the {@code count}th delimiter; for a negative count, the text after that
   * delimiter from the end; empty for zero.
   */
  static ColumnView cut(ColumnVector text, String delimiter, int count, Evaluation e) {
    if (count > 0) {
      return preceding(text, delimiter, count, e);
    } else if (count == 0) {
      return e.keep(text.repeatStrings(0));
    }
    String backwards = new StringBuilder(delimiter).reverse().toString();
    ColumnVector reversed = e.keep(text.reverseStringsOrLists());
    return e.keep(preceding(reversed, backwards, -count, e).reverseStringsOrLists());
  }

  private static ColumnView preceding(
      ColumnVector text, String delimiter, int count, Evaluation e) {
    Table parts = e.keep(text.stringSplit(delimiter, count + 1));
    int columns = Math.min(count, parts.getNumberOfColumns());
    List<ColumnView> selected = new ArrayList<>();
    for (int i = 0; i < columns; i++) {
      selected.add(parts.getColumn(i));
    }
    if (columns == 1) {
      return selected.get(0);
    }
    // Rows of fewer parts have nulls for the others, which get no delimiter.
    ColumnVector joined =
        e.keep(
            ColumnVector.stringConcatenate(
                e.text(delimiter), e.text(""), selected.toArray(ColumnView[]::new), false));
    return e.nullWhere(e.keep(text.isNull()), joined);
  }
}
