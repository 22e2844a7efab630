package io.mooring.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A source in Java or C++, whose comments are told apart from its code. Strings belong to the code.
 *
 * @param path from the root of the repository
 */
record SourceFile(Path path, String text) {
  private static final Path ROOT = Path.of(System.getProperty("mooring.basedir"));
  private static final Pattern TEXT_BLOCK = Pattern.compile("\"\"\"(?s:.*?)\"\"\"");
  private static final Pattern LITERAL =
      Pattern.compile("\"(?:\\\\.|[^\"\\\\\n])*+\"|'(?:\\\\.|[^'\\\\\n])'");
  // Comments on lines behind one another are one comment.
  private static final Pattern COMMENT =
      Pattern.compile("/\\*(?s:.*?)\\*/|//[^\n]*(?:\n[ \t]*//[^\n]*)*+");
  private static final Pattern STRING = Pattern.compile(TEXT_BLOCK + "|" + LITERAL);
  private static final Pattern TOKEN = Pattern.compile("(?:" + STRING + ")|(" + COMMENT + ")");
  private static final Pattern MARKS =
      Pattern.compile("(?m)^[ \t]*(?:/\\*+|///?<?|\\*(?!/))[ \t]?|\\*/$");

  /** The files below folders, or single files, whose names have one of the ends. */
  static List<SourceFile> in(List<String> places, String... ends) throws IOException {
    Stream.Builder<SourceFile> all = Stream.builder();
    for (String place : places) {
      try (Stream<Path> files = Files.walk(ROOT.resolve(place))) {
        for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
          if (Stream.of(ends).anyMatch(file.toString()::endsWith)) {
            all.add(new SourceFile(ROOT.relativize(file), Files.readString(file)));
          }
        }
      }
    }
    return all.build().toList();
  }

  /** The texts of all comments, without the marks that make them comments. */
  List<String> comments() {
    return TOKEN
        .matcher(text)
        .results()
        .filter(token -> token.group(1) != null)
        .map(token -> MARKS.matcher(token.group()).replaceAll("").strip())
        .toList();
  }

  /** The text without comments and strings. */
  String code() {
    return TOKEN.matcher(text).replaceAll(SourceFile::spaces);
  }

  private static String spaces(MatchResult token) {
    return " ".repeat(Math.min(1, token.group().length()));
  }
}
