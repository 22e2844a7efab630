package io.mooring.expr;

/**
 * The elements of regular expressions that match one character. Java's classes {@code \d}, {@code
 * \w} and {@code \s} have ASCII characters only, libcudf's have others too, so that they are
 * written as sets.
 */
final class RegexCharacters {
  private static final String PLAIN = " _-,:;/@#%&=\"'<>~!";
  private static final String PLAIN_IN_SETS = " _.,:;/@#%=\"'<>~!?*+()|{}$";
  // Characters with a meaning of their own unless a backslash precedes them.
  private static final String ESCAPED = ".^$*+?()[]{}|\\";
  private static final String ESCAPED_IN_SETS = "^-[]\\";

  private RegexCharacters() {}

  /** Reads what matches one character, and writes the same for libcudf. */
  static void one(RegexText text) throws UnsupportedExpressionException {
    char c = text.read();
    if (c == '[') {
      set(text);
    } else if (c == '\\') {
      escaped(text);
    } else if (c == '.' || isLetterOrDigit(c) || PLAIN.indexOf(c) >= 0) {
      text.write(c);
    } else {
      throw text.unsupported();
    }
  }

  private static void escaped(RegexText text) throws UnsupportedExpressionException {
    char c = text.read();
    String members = members(Character.toLowerCase(c));
    if (!members.isEmpty()) {
      text.write((Character.isUpperCase(c) ? "[^" : "[") + members + "]");
    } else if (ESCAPED.indexOf(c) >= 0) {
      text.write("\\" + c);
    } else {
      text.write(unescaped(c, text));
    }
  }

  /** The members of a class of Java's; empty if there is none of the name. */
  private static String members(char name) {
    return switch (name) {
      case 'd' -> "0-9";
      case 'w' -> "A-Za-z0-9_";
      case 's' -> " \t\n\u000b\f\r";
      default -> "";
    };
  }

  /** The character for which a backslash and another stand. */
  private static char unescaped(char c, RegexText text) throws UnsupportedExpressionException {
    return switch (c) {
      case 't' -> '\t';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 'f' -> '\f';
      default -> {
        if (PLAIN.indexOf(c) < 0 && ESCAPED.indexOf(c) < 0) {
          throw text.unsupported();
        }
        yield c;
      }
    };
  }

  /** A set. A hyphen at its begin or end stands for itself. */
  private static void set(RegexText text) throws UnsupportedExpressionException {
    text.write('[');
    text.takes('^');
    if (text.skips("-")) {
      text.write("\\-");
    } else {
      member(text);
    }
    while (!text.takes(']')) {
      if (text.next() == '-') {
        hyphen(text);
      } else {
        member(text);
      }
    }
  }

  private static void hyphen(RegexText text) throws UnsupportedExpressionException {
    text.read();
    if (text.next() != ']') {
      throw text.unsupported();
    }
    text.write("\\-");
  }

  private static void member(RegexText text) throws UnsupportedExpressionException {
    char c = text.read();
    if (c == '\\') {
      escapedMember(text);
    } else if (isLetterOrDigit(c)) {
      text.write(c);
      range(c, text);
    } else if (PLAIN_IN_SETS.indexOf(c) >= 0) {
      text.write(c);
    } else {
      throw text.unsupported();
    }
  }

  private static void escapedMember(RegexText text) throws UnsupportedExpressionException {
    char c = text.read();
    String members = members(c);
    if (!members.isEmpty()) {
      text.write(members);
    } else {
      text.write((ESCAPED_IN_SETS.indexOf(c) >= 0 ? "\\" : "") + unescaped(c, text));
    }
  }

  private static void range(char from, RegexText text) throws UnsupportedExpressionException {
    if (!text.skips("-")) {
      return;
    }
    char to = text.next();
    if (to == ']') {
      text.write("\\-");
      return;
    }
    boolean alike =
        Character.isDigit(from) == Character.isDigit(to)
            && Character.isUpperCase(from) == Character.isUpperCase(to);
    if (!isLetterOrDigit(to) || !alike || to < from) {
      throw text.unsupported();
    }
    text.write('-');
    text.takes(to);
  }

  private static boolean isLetterOrDigit(char c) {
    return c < 128 && Character.isLetterOrDigit(c);
  }
}
