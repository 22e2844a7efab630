package io.mooring.expr.device;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.ColumnView;
import ai.rapids.cudf.RegexProgram;
import ai.rapids.cudf.Scalar;
import ai.rapids.cudf.Table;
import io.mooring.expr.RegexInstructions;
import java.util.Arrays;
import java.util.function.BiFunction;
import java.util.stream.IntStream;

/**
 * Functions of regular expressions, in libcudf's notation. libcudf has an engine of threads, which
 * finds the ends of matches and groups that Java finds, and an engine of bit masks, which is exact
 * only in whether there is a match. Functions with groups run on the first one, other functions if
 * the pattern has an assertion.
 */
final class RegexFunctions {
  private static final RegexProgram LINE_END = new RegexProgram("[\n\r\u0085\u2028\u2029]");

  // An assertion that holds everywhere.
  private static final String ANYWHERE = "(?:\\b|\\B)";

  // Bytes that libcudf holds for an instruction and a row: it has two lists of threads.
  private static final int THREAD_BYTES = 21;
  // Bytes of threads at a time; there are enough rows then to keep a GPU busy.
  private static final long MOST_BYTES = 256L << 20;

  private RegexFunctions() {}

  /** Whether there is a match. */
  static ColumnView found(ColumnVector text, Scalar pattern, Evaluation e) {
    return applied(text, pattern.getJavaString(), ColumnView::containsRe, e);
  }

  /** The strings with a literal in place of every match. */
  static ColumnView replaced(ColumnVector text, Scalar pattern, Scalar by, Evaluation e) {
    String threads = "(?:" + pattern.getJavaString() + ")" + ANYWHERE;
    return applied(text, threads, (part, program) -> part.replaceRegex(program, by), e);
  }

  /** The strings with a literal and groups of the match in place of every match. */
  static ColumnView rewritten(ColumnVector text, Scalar pattern, Scalar template, Evaluation e) {
    String by = template.getJavaString();
    return applied(
        text,
        pattern.getJavaString(),
        (part, program) -> part.stringReplaceWithBackrefs(program, by),
        e);
  }

  /**
   * The group of the first match, or the string if there is none. Every match of the pattern is a
   * whole string and has the group, so that this is the same as replacing each match by the group,
   * but takes half the time.
   */
  static ColumnView groupOrText(ColumnVector text, Scalar pattern, Evaluation e) {
    return e.keep(group(text, pattern, e).replaceNulls(text));
  }

  /** The group of the first match; an empty string if there is no match, or no such group in it. */
  static ColumnView extracted(ColumnVector text, Scalar pattern, Evaluation e) {
    ColumnVector found = group(text, pattern, e);
    if (found.getNullCount() == text.getNullCount()) {
      return found;
    }
    ColumnVector filled = e.keep(found.replaceNulls(e.keep(Scalar.fromString(""))));
    return text.getNullCount() == 0 ? filled : e.nullWhere(e.keep(text.isNull()), filled);
  }

  private static ColumnVector group(ColumnVector text, Scalar pattern, Evaluation e) {
    return applied(
        text,
        pattern.getJavaString(),
        (part, program) -> {
          try (Table groups = part.extractRe(program)) {
            return groups.getColumn(0).incRefCount();
          }
        },
        e);
  }

  /** The result of a function of a pattern, for so many rows at a time as the memory allows. */
  private static ColumnVector applied(
      ColumnVector text,
      String pattern,
      BiFunction<ColumnView, RegexProgram, ColumnVector> function,
      Evaluation e) {
    if (pattern.contains(".") || pattern.contains("$") || pattern.contains("[^")) {
      // Java and libcudf match these differently at line ends.
      e.refuse(e.keep(text.containsRe(LINE_END)), "strings with line ends");
    }
    RegexProgram program = new RegexProgram(pattern);
    long bytes = text.getRowCount() * RegexInstructions.most(pattern) * THREAD_BYTES;
    int count = Math.toIntExact(Math.min(text.getRowCount(), bytes / MOST_BYTES + 1));
    if (count <= 1) {
      return e.keep(function.apply(text, program));
    }
    long rows = text.getRowCount();
    int[] ends = IntStream.range(1, count).map(i -> (int) (rows * i / count)).toArray();
    ColumnView[] parts = text.splitAsViews(ends);
    Arrays.stream(parts).forEach(e::keep);
    return e.keep(
        ColumnVector.concatenate(
            Arrays.stream(parts)
                .map(part -> e.keep(function.apply(part, program)))
                .toArray(ColumnView[]::new)));
  }
}
