package io.mooring.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The field's terms instead of words of our own, in names, comments, messages and pages, so that an
 * engineer finds what he searches for.
 */
class WordsTest {
  private static final Path ROOT = Path.of(System.getProperty("mooring.basedir"));
  private static final String MAIN = "src/main/java/io/mooring/";
  private static final Pattern COMMENT = Pattern.compile("(?s)/\\*.*?\\*/|//[^\n]*");
  private static final Pattern STRING = Pattern.compile("\"(?:\\\\.|[^\"\\\\\n])*\"");

  /** Words in anything that is written. */
  private static final List<Rule> TEXTS =
      List.of(
          new Rule("first looks?", "late materialization"),
          new Rule("thinned", "sparse, or with skipped pages"),
          new Rule("stretch(es)?", "range"),
          new Rule("filler pages?", "placeholder pages"),
          new Rule("endless", "that does not end"),
          new Rule("obstacles?", "reason, or eligibility"),
          new Rule("the wall", "the bottleneck"));

  /** Names that tell nothing of the object. */
  private static final List<Rule> NAMES =
      List.of(
          new Rule("made", "result, or what it is"),
          new Rule("kept", "selected, remaining, or cached"),
          new Rule("given", "input, argument, or requested"),
          new Rule("seen", "present, or what was measured"),
          new Rule("probe", "late materialization"),
          new Rule("swapped", "rewritten"),
          new Rule("tally", "counts"),
          new Rule("fused", "ast"));

  private static final List<String> PACKAGES =
      List.of(
          "columnar",
          "conf",
          "datasource",
          "expr",
          "gpu",
          "metrics",
          "parquet/footer",
          "parquet/pageskip",
          "parquet/prune",
          "parquet/verify",
          "pushdown",
          "report",
          "scan",
          "session",
          "spark",
          "ui");

  private record Rule(String word, String term) {
    private Stream<String> violations(Path file, String text) {
      return Pattern.compile("(?i)\\b" + word.replace(" ", "\\s+(?:\\*\\s+|// )?") + "\\b")
          .matcher(text)
          .results()
          .map(it -> ROOT.relativize(file) + " says \"" + it.group() + "\": say " + term);
    }
  }

  private static Stream<Path> written() throws IOException {
    return Stream.concat(
        Stream.of(ROOT.resolve("README.md"), ROOT.resolve("CONTRIBUTING.md")),
        Stream.concat(
            files(ROOT.resolve("docs"), ".md"),
            Stream.concat(
                files(ROOT.resolve("src/main/java"), ".java"),
                files(ROOT.resolve("src/main/cpp"), "pp"))));
  }

  private static Stream<Path> named() throws IOException {
    List<Path> all = new ArrayList<>();
    for (String name : PACKAGES) {
      files(ROOT.resolve(MAIN + name), ".java").forEach(all::add);
    }
    return all.stream();
  }

  private static Stream<Path> files(Path folder, String end) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      return all
          .filter(Files::isRegularFile)
          .filter(it -> it.toString().endsWith(end))
          .sorted()
          .toList()
          .stream();
    }
  }

  @ParameterizedTest
  @MethodSource("texts")
  void words_ofTexts_areTheFields(Rule rule) throws IOException {
    List<String> wrong = new ArrayList<>();
    for (Path file : written().toList()) {
      rule.violations(file, Files.readString(file)).forEach(wrong::add);
    }
    assertThat(wrong).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("names")
  void words_ofIdentifiers_areTheFields(Rule rule) throws IOException {
    List<String> wrong = new ArrayList<>();
    for (Path file : named().toList()) {
      rule.violations(file, words(Files.readString(file))).forEach(wrong::add);
    }
    assertThat(wrong).isEmpty();
  }

  static List<Rule> texts() {
    return TEXTS;
  }

  static List<Rule> names() {
    return NAMES;
  }

  /** Identifiers without comments and texts; of camel case a word each, unless it has a verb. */
  private static String words(String source) {
    String code = STRING.matcher(COMMENT.matcher(source).replaceAll("")).replaceAll("");
    return code.replaceAll("\\b(is|are|has)[A-Z]\\w*", "")
        .replaceAll("(?<=[a-z0-9])(?=[A-Z])", " ")
        .replace('_', ' ')
        .toLowerCase(Locale.ROOT);
  }
}
