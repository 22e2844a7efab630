package io.mooring.expr;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * The replacement for matches of a regular expression, read as Java's {@code Matcher} does: {@code
 * $1} and <code>${name}</code> are groups, and a backslash makes the next character literal.
 */
final class RegexReplacement {
  private static final int MOST_CHARACTERS = 200;

  private final String text;
  private final List<String> groups;
  // Literal texts as strings, groups as numbers.
  private final List<Object> parts = new ArrayList<>();
  private int at;

  /**
   * @param groups the names of the groups of the expression, empty for those without one
   * @throws UnsupportedExpressionException for what Java does not accept once there is a match
   */
  RegexReplacement(String text, List<String> groups) throws UnsupportedExpressionException {
    this.text = text;
    this.groups = groups;
    while (at < text.length()) {
      char c = text.charAt(at++);
      if (c == '$') {
        parts.add(group());
      } else {
        parts.add(String.valueOf(c == '\\' ? character() : c));
      }
    }
  }

  private UnsupportedExpressionException unsupported() {
    return new UnsupportedExpressionException("regexp_replace with replacement " + text);
  }

  private char character() throws UnsupportedExpressionException {
    if (at == text.length()) {
      throw unsupported();
    }
    return text.charAt(at++);
  }

  private int group() throws UnsupportedExpressionException {
    char c = character();
    if (c == '{') {
      int end = text.indexOf('}', at);
      int group = end > at ? groups.indexOf(text.substring(at, end)) + 1 : 0;
      if (group == 0) {
        throw unsupported();
      }
      at = end + 1;
      return group;
    }
    int number = digit(c);
    if (number < 0 || number > groups.size()) {
      throw unsupported();
    }
    // Java reads as many digits as there is a group for.
    while (at < text.length() && digit(text.charAt(at)) >= 0) {
      int longer = number * 10 + digit(text.charAt(at));
      if (longer > groups.size()) {
        break;
      }
      number = longer;
      at++;
    }
    return number;
  }

  private static int digit(char c) {
    return c >= '0' && c <= '9' ? c - '0' : -1;
  }

  /** The groups that it has, without 0 for the whole match. */
  TreeSet<Integer> groups() {
    TreeSet<Integer> found = new TreeSet<>();
    for (Object part : parts) {
      if (part instanceof Integer group && group > 0) {
        found.add(group);
      }
    }
    return found;
  }

  /** Whether it is the same for every match. */
  boolean isLiteral() {
    return parts.stream().allMatch(String.class::isInstance);
  }

  /** Whether it is one group and nothing else. */
  boolean isGroup() {
    return parts.size() == 1 && groups().size() == 1;
  }

  /** The text of a literal replacement. */
  String literal() {
    StringBuilder literal = new StringBuilder();
    parts.forEach(literal::append);
    return literal.toString();
  }

  /**
   * The same for libcudf, for a pattern whose groups are those of {@link #groups()} alone.
   *
   * @throws UnsupportedExpressionException for texts in which libcudf might find other groups, or
   *     that do not reach it unchanged
   */
  String template() throws UnsupportedExpressionException {
    TreeSet<Integer> found = groups();
    StringBuilder template = new StringBuilder();
    for (Object part : parts) {
      if (part instanceof Integer group) {
        int ours = group == 0 ? 0 : found.headSet(group, true).size();
        template.append("${").append(ours).append('}');
      } else if (isPlain((String) part)) {
        template.append(part);
      } else {
        throw unsupported();
      }
    }
    if (template.length() > MOST_CHARACTERS) {
      throw unsupported();
    }
    return template.toString();
  }

  private static boolean isPlain(String part) {
    return part.chars().allMatch(c -> c > 0 && c < 128 && c != '$' && c != '\\');
  }
}
