package io.mooring.expr;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Translates Java's regular expressions to libcudf's, where both find the same matches and groups
 * in strings without line ends: alternatives of characters, sets, anchors and groups, each repeated
 * or not, greedily or lazily. Java backtracks; libcudf's engine of threads follows all ways at once
 * and keeps the one that Java would try first. Both are the same unless a repeated part matches the
 * empty string, or a group is asked for whose repetitions Java takes back.
 */
final class RegexTranslator {
  private static final int MOST_CHARACTERS = 200;
  private static final int MOST_REPEATS = 50;
  // Counts within each other multiply, and without this bound the number of bytes overflows.
  private static final int MOST_ELEMENTS = 500;
  // libcudf 26.08 copies a program of 2,048 bytes to shared memory of which it has asked for none,
  // and the GPU is lost. The functions add a group or an assertion to a pattern.
  private static final int MOST_BYTES = 1_900;

  private final RegexText text;
  private final Set<Integer> wanted;
  private final List<String> groups = new ArrayList<>();

  private RegexTranslator(RegexText text, Set<Integer> wanted) {
    this.text = text;
    this.wanted = wanted;
  }

  /**
   * A translated expression.
   *
   * @param pattern libcudf's pattern; its groups are those that were wanted, in their order
   * @param groups the names of Java's groups, empty for those without one
   * @param matchesEmpty whether it can match an empty string
   * @param isWhole whether every match is a whole string and has the one group that was wanted
   */
  record Regex(String pattern, List<String> groups, boolean matchesEmpty, boolean isWhole) {
    Regex {
      groups = List.copyOf(groups);
    }
  }

  /**
   * A part of an expression.
   *
   * @param isEmpty whether it can match an empty string
   * @param isAnchored whether it has an anchor that every match passes
   * @param elements how many characters and anchors it has, repetitions written out
   * @param isWanted whether it has a group that is wanted
   * @param isSure whether every match passes such a group
   */
  private record Part(
      boolean isEmpty, boolean isAnchored, int elements, boolean isWanted, boolean isSure) {
    static final Part CHARACTER = new Part(false, false, 1, false, false);
    static final Part ANCHOR = new Part(true, true, 1, false, false);

    Part then(Part next) {
      return new Part(
          isEmpty && next.isEmpty,
          isAnchored || next.isAnchored,
          elements + next.elements,
          isWanted || next.isWanted,
          isSure || next.isSure);
    }

    Part or(Part other) {
      return new Part(
          isEmpty || other.isEmpty,
          isAnchored && other.isAnchored,
          elements + other.elements,
          isWanted || other.isWanted,
          isSure && other.isSure);
    }
  }

  /**
   * The same expression for libcudf.
   *
   * @param function the name of the expression that has the pattern, for messages
   * @param wanted the groups of which the matches are asked for, counted from 1
   * @throws UnsupportedExpressionException for one that libcudf may read differently
   */
  static Regex translate(String pattern, String function, Set<Integer> wanted)
      throws UnsupportedExpressionException {
    if (pattern.length() > MOST_CHARACTERS) {
      throw new UnsupportedExpressionException(function + " with a long pattern");
    }
    RegexText text = new RegexText(pattern, function);
    RegexTranslator translator = new RegexTranslator(text, wanted);
    boolean isWhole = text.next() == '^';
    Part all = translator.branch();
    isWhole &= text.isRead() && text.written().endsWith("$") && !text.written().endsWith("\\$");
    while (text.takes('|')) {
      all = translator.checked(all.or(translator.branch()));
    }
    if (!text.isRead()) {
      throw text.unsupported();
    }
    if (RegexInstructions.mostBytes(text.written()) > MOST_BYTES) {
      throw new UnsupportedExpressionException(function + " with a pattern of many elements");
    }
    isWhole &= all.isSure && wanted.size() == 1;
    return new Regex(text.written(), translator.groups, all.isEmpty, isWhole);
  }

  private Part branch() throws UnsupportedExpressionException {
    Part all = item();
    while (!text.isRead() && text.next() != '|' && text.next() != ')') {
      all = checked(all.then(item()));
    }
    return all;
  }

  private Part checked(Part part) throws UnsupportedExpressionException {
    if (part.elements > MOST_ELEMENTS) {
      throw text.unsupported();
    }
    return part;
  }

  private Part item() throws UnsupportedExpressionException {
    if (text.takes('^') || text.takes('$')) {
      return Part.ANCHOR;
    } else if (text.skips("(")) {
      return repeated(group());
    }
    RegexCharacters.one(text);
    return repeated(Part.CHARACTER);
  }

  private Part group() throws UnsupportedExpressionException {
    boolean isCapturing = !text.skips("?:");
    if (isCapturing) {
      groups.add(name());
    }
    boolean isWanted = isCapturing && wanted.contains(groups.size());
    text.write(isWanted ? "(" : "(?:");
    Part all = alternatives();
    if (!text.takes(')')) {
      throw text.unsupported();
    }
    return new Part(
        all.isEmpty,
        all.isAnchored,
        all.elements,
        all.isWanted || isWanted,
        all.isSure || isWanted);
  }

  private String name() throws UnsupportedExpressionException {
    if (!text.skips("?")) {
      return "";
    }
    StringBuilder name = new StringBuilder();
    if (text.skips("<")) {
      while (isLetterOrDigit(text.next())) {
        name.append(text.read());
      }
    }
    String read = name.toString();
    boolean isName = !read.isEmpty() && !Character.isDigit(read.charAt(0));
    if (!isName || groups.contains(read) || !text.skips(">")) {
      throw text.unsupported();
    }
    return read;
  }

  /**
   * The branches of a group. libcudf checks its program for loops along every way through branches
   * without a character, and there can be too many ways.
   */
  private Part alternatives() throws UnsupportedExpressionException {
    Part all = branch();
    boolean isSkipped = all.isEmpty && !all.isAnchored;
    while (text.takes('|')) {
      Part next = branch();
      if (isSkipped || next.isEmpty && !next.isAnchored) {
        throw text.unsupported();
      }
      all = checked(all.or(next));
    }
    return all;
  }

  private Part repeated(Part part) throws UnsupportedExpressionException {
    char sign = text.next();
    int times = 1;
    if (sign == '{') {
      times = counted();
    } else if (!text.takes('?') && !text.takes('*') && !text.takes('+')) {
      return part;
    }
    text.takes('?');
    // Java takes back a group that may be missing, but not what is in one that is repeated.
    if (part.isEmpty || part.isWanted && sign != '?') {
      throw text.unsupported();
    }
    boolean isSkipped = sign == '?' || sign == '*';
    return checked(
        new Part(
            isSkipped,
            part.isAnchored && !isSkipped,
            part.elements * times,
            part.isWanted,
            part.isSure && !isSkipped));
  }

  /** The most repetitions of a counted one. */
  private int counted() throws UnsupportedExpressionException {
    text.takes('{');
    int least = text.number();
    int most = least;
    if (text.takes(',')) {
      most = text.next() == '}' ? least : text.number();
    }
    if (least < 1 || most < least || most > MOST_REPEATS || !text.takes('}')) {
      throw text.unsupported();
    }
    return most;
  }

  private static boolean isLetterOrDigit(char c) {
    return c < 128 && Character.isLetterOrDigit(c);
  }
}
