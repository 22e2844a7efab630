package io.mooring.expr;

/**
 * Translates Java's regular expressions to libcudf's, where both match the same in strings without
 * line ends: alternatives of characters, character classes and dots, each repeated or not, between
 * anchors.
 */
final class RegexTranslator {
  private static final int MOST_CHARACTERS = 200;
  private static final int MOST_REPEATS = 50;
  private static final String PLAIN = " _-,:;/@#%&=\"'<>~!";
  private static final String PLAIN_IN_SETS = " _.,:;/@#%=";
  // Characters with a meaning of their own unless a backslash precedes them.
  private static final String ESCAPED = ".^$*+?()[]{}|\\";
  private static final String DIGITS = "0-9";
  private static final String WORD = "A-Za-z0-9_";

  private final String pattern;
  private final StringBuilder ours = new StringBuilder();
  private int at;

  private RegexTranslator(String pattern) {
    this.pattern = pattern;
  }

  /**
   * The same expression for libcudf.
   *
   * @throws UnsupportedExpressionException for one that libcudf may read differently
   */
  static String translate(String pattern) throws UnsupportedExpressionException {
    if (pattern.length() > MOST_CHARACTERS) {
      throw new UnsupportedExpressionException("rlike with a long pattern");
    }
    RegexTranslator regex = new RegexTranslator(pattern);
    regex.branch();
    while (regex.takes('|')) {
      regex.branch();
    }
    if (regex.at < pattern.length()) {
      throw regex.unsupported();
    }
    return regex.ours.toString();
  }

  private UnsupportedExpressionException unsupported() {
    return new UnsupportedExpressionException("rlike with pattern " + pattern);
  }

  private char next() {
    return at < pattern.length() ? pattern.charAt(at) : '\0';
  }

  /** Copies the next character if it is the given one. */
  private boolean takes(char c) {
    if (next() != c) {
      return false;
    }
    ours.append(c);
    at++;
    return true;
  }

  private void branch() throws UnsupportedExpressionException {
    takes('^');
    do {
      character();
      repeat();
    } while (at < pattern.length() && next() != '|' && next() != '$');
    takes('$');
  }

  private void character() throws UnsupportedExpressionException {
    char c = next();
    at++;
    if (c == '[') {
      set();
    } else if (c == '\\') {
      escaped();
    } else if (c == '.' || isLetterOrDigit(c) || PLAIN.indexOf(c) >= 0) {
      ours.append(c);
    } else {
      throw unsupported();
    }
  }

  private void escaped() throws UnsupportedExpressionException {
    char c = next();
    at++;
    if (c == 'd') {
      ours.append('[').append(DIGITS).append(']');
    } else if (c == 'w') {
      ours.append('[').append(WORD).append(']');
    } else if (ESCAPED.indexOf(c) >= 0) {
      ours.append('\\').append(c);
    } else if (PLAIN.indexOf(c) >= 0) {
      ours.append(c);
    } else {
      throw unsupported();
    }
  }

  private void set() throws UnsupportedExpressionException {
    ours.append('[');
    takes('^');
    do {
      member();
    } while (!takes(']'));
  }

  private void member() throws UnsupportedExpressionException {
    char c = next();
    at++;
    if (c == '\\' && (next() == 'd' || next() == 'w')) {
      ours.append(next() == 'd' ? DIGITS : WORD);
      at++;
    } else if (isLetterOrDigit(c)) {
      ours.append(c);
      range(c);
    } else if (PLAIN_IN_SETS.indexOf(c) >= 0) {
      ours.append(c);
    } else {
      throw unsupported();
    }
  }

  private void range(char from) throws UnsupportedExpressionException {
    if (takes('-')) {
      char to = next();
      boolean alike =
          Character.isDigit(from) == Character.isDigit(to)
              && Character.isUpperCase(from) == Character.isUpperCase(to);
      if (!isLetterOrDigit(to) || !alike || to < from) {
        throw unsupported();
      }
      takes(to);
    }
  }

  private void repeat() throws UnsupportedExpressionException {
    if (takes('*') || takes('+') || takes('?') || !takes('{')) {
      return;
    }
    int least = number();
    int most = least;
    if (takes(',')) {
      most = next() == '}' ? least : number();
    }
    if (least < 1 || most < least || most > MOST_REPEATS || !takes('}')) {
      throw unsupported();
    }
  }

  private int number() throws UnsupportedExpressionException {
    int value = 0;
    int first = at;
    while (Character.isDigit(next()) && at - first < 2) {
      value = value * 10 + (next() - '0');
      takes(next());
    }
    if (at == first) {
      throw unsupported();
    }
    return value;
  }

  private static boolean isLetterOrDigit(char c) {
    return c < 128 && Character.isLetterOrDigit(c);
  }
}
