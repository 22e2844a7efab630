package io.mooring.benchmarks.query;

import io.mooring.benchmarks.cli.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One statement of the user's.
 *
 * @param name from the comment before it, or its number
 * @param sql without its semicolon
 */
public record SqlText(String name, String sql) {

  private static final Pattern NAME = Pattern.compile("^\\s*--\\s*(?:name:\\s*)?(\\S+)\\s*$");

  /** Quoted text, comments, and the semicolons between them. */
  private static final Pattern TOKEN =
      Pattern.compile(
          "'(?:[^'\\\\]|\\\\.)*'|\"(?:[^\"\\\\]|\\\\.)*\"|`[^`]*`|--[^\\n]*|/\\*.*?\\*/|;",
          Pattern.DOTALL);

  private static final Pattern VIEW =
      Pattern.compile("(?is)\\s*create\\s+(or\\s+replace\\s+)?temp(orary)?\\s+view\\b.*");

  /** Whether the statement creates a temporary view, and is no query. */
  boolean isView() {
    return VIEW.matcher(bare(sql)).matches();
  }

  /**
   * The statements of a file, or of the text itself.
   *
   * @param before how many statements came before these
   */
  public static List<SqlText> read(String fileOrText, int before) {
    List<SqlText> statements = new ArrayList<>();
    for (String part : split(content(fileOrText))) {
      if (!bare(part).isBlank()) {
        int number = before + statements.size() + 1;
        statements.add(new SqlText(name(part, "sql" + number), part.strip()));
      }
    }
    if (statements.isEmpty()) {
      throw UserError.usage("no statement in --sql " + fileOrText);
    }
    return statements;
  }

  private static String content(String fileOrText) {
    try {
      Path file = Path.of(fileOrText);
      return Files.isRegularFile(file) ? Files.readString(file) : text(fileOrText);
    } catch (InvalidPathException e) {
      return text(fileOrText);
    } catch (IOException e) {
      throw UserError.usage("cannot read --sql " + fileOrText);
    }
  }

  private static String text(String text) {
    if (text.strip().indexOf(' ') < 0) {
      throw UserError.usage("--sql " + text + " is neither a file nor a query");
    }
    return text;
  }

  private static List<String> split(String content) {
    List<String> parts = new ArrayList<>();
    Matcher token = TOKEN.matcher(content);
    int start = 0;
    while (token.find()) {
      if (token.group().equals(";")) {
        parts.add(content.substring(start, token.start()));
        start = token.end();
      }
    }
    parts.add(content.substring(start));
    return parts;
  }

  /** Without comments. */
  private static String bare(String sql) {
    return TOKEN
        .matcher(sql)
        .replaceAll(
            token ->
                token.group().startsWith("--") || token.group().startsWith("/*")
                    ? " "
                    : Matcher.quoteReplacement(token.group()));
  }

  private static String name(String part, String otherwise) {
    return part.lines()
        .takeWhile(line -> line.isBlank() || line.strip().startsWith("--"))
        .map(NAME::matcher)
        .filter(Matcher::matches)
        .map(match -> match.group(1))
        .findFirst()
        .orElse(otherwise);
  }
}
