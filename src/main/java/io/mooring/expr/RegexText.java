package io.mooring.expr;

/** The text of a Java regular expression while it is read, and what libcudf is to read instead. */
final class RegexText {
  private final String pattern;
  private final String function;
  private final StringBuilder ours = new StringBuilder();
  private int at;

  /**
   * @param function the name of the expression that has the pattern, for messages
   */
  RegexText(String pattern, String function) {
    this.pattern = pattern;
    this.function = function;
  }

  UnsupportedExpressionException unsupported() {
    return new UnsupportedExpressionException(function + " with pattern " + pattern);
  }

  boolean isRead() {
    return at >= pattern.length();
  }

  /** The next character; NUL at the end. */
  char next() {
    return isRead() ? '\0' : pattern.charAt(at);
  }

  /** Reads the next character. */
  char read() {
    char c = next();
    at++;
    return c;
  }

  /** Reads the next characters if they are the given ones. */
  boolean skips(String text) {
    boolean found = pattern.startsWith(text, at);
    at += found ? text.length() : 0;
    return found;
  }

  /** Copies the next character if it is the given one. */
  boolean takes(char c) {
    if (next() != c) {
      return false;
    }
    ours.append(read());
    return true;
  }

  void write(String text) {
    ours.append(text);
  }

  /** Writes a character that is not an operator, in a set or out of it. */
  void write(char c) {
    ours.append(c);
  }

  /** What was written. */
  String written() {
    return ours.toString();
  }

  /** Copies a number of one or two digits. */
  int number() throws UnsupportedExpressionException {
    int value = 0;
    int first = at;
    while (next() >= '0' && next() <= '9' && at - first < 2) {
      value = value * 10 + (next() - '0');
      takes(next());
    }
    if (at == first) {
      throw unsupported();
    }
    return value;
  }
}
