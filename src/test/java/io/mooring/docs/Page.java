package io.mooring.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** A page of the documentation. */
public record Page(Path file, String text) {
  private static final Pattern QUOTED = Pattern.compile("(?<!`)`([^`\n]+)`(?!`)");

  public static Page of(String name) throws IOException {
    Path file = Path.of(System.getProperty("mooring.basedir"), "docs", name);
    return new Page(file, Files.readString(file));
  }

  /** What stands in backticks, in a part of the page. */
  static List<String> quoted(String part) {
    return QUOTED.matcher(part).results().map((MatchResult it) -> it.group(1)).toList();
  }

  /** The page with another text between a marker and the next end. */
  public Page with(String marker, String part) {
    String start = "<!-- " + marker + " -->\n";
    int from = text.indexOf(start) + start.length();
    int to = text.indexOf("<!-- end -->", from);
    return new Page(file, text.substring(0, from) + part + text.substring(to));
  }

  /** The cells of the page's table rows that are no headers. */
  List<List<String>> rows() {
    return text.lines()
        .filter(line -> line.startsWith("| ") && !line.startsWith("| ---"))
        .map(line -> List.of(line.substring(2).split(" \\|(?: |$)")))
        .toList();
  }
}
