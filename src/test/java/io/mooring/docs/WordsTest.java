package io.mooring.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The field's terms instead of words of our own, in names, comments, messages and pages, so that an
 * engineer finds what he searches for.
 */
class WordsTest {
  private static final String STAGES = "src/main/java/io/mooring/stage/";
  private static final String BENCHMARKS = "benchmarks/";

  private static final List<String> CODE =
      List.of(
          "src/main/java",
          "src/main/cpp",
          BENCHMARKS + "src/main/java",
          BENCHMARKS + "src/main/cpp");
  private static final List<String> PAGES =
      List.of("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs", BENCHMARKS + "README.md");
  private static final String[] SOURCES = {".java", ".cpp", ".hpp"};

  /** Words in anything that is written. */
  private static final List<Rule> TEXTS =
      List.of(
          new Rule("first looks?", "late materialization"),
          new Rule("thinned", "sparse, or with skipped pages"),
          new Rule("stretch(es)?", "range, or period"),
          new Rule("filler pages?", "placeholder pages"),
          new Rule("endless", "that does not end"),
          new Rule("obstacles?", "reason, or eligibility"),
          new Rule("the wall(?! clock)", "the bottleneck"));

  /** Names that tell nothing of the object. */
  private static final List<Rule> NAMES =
      List.of(
          new Rule("made", "result, or what it is"),
          new Rule("kept", "selected, remaining, or cached"),
          new Rule("given", "input, argument, or requested"),
          new Rule("seen", "present, or what was measured"),
          // A hash join has a probe side, and the harness probes what it runs on.
          new Rule("probe", "late materialization", List.of(STAGES, BENCHMARKS)),
          new Rule("swapped", "rewritten"),
          new Rule("tally", "counts"),
          new Rule("fused", "ast"));

  /**
   * A word that is not to be used.
   *
   * @param term what to say instead
   * @param termIn where the word is a term itself: beginnings of paths
   */
  private record Rule(String word, String term, List<String> termIn) {
    private Rule(String word, String term) {
      this(word, term, List.of());
    }

    private Stream<String> violations(Words words) {
      if (termIn.stream().anyMatch(words.file()::startsWith)) {
        return Stream.empty();
      }
      return Pattern.compile("(?i)\\b" + word.replace(" ", "\\s+(?:\\*\\s+|// )?") + "\\b")
          .matcher(words.text())
          .results()
          .map(it -> words.file() + " says \"" + it.group() + "\": say " + term);
    }
  }

  /** What a file says: all of it, or its identifiers. */
  private record Words(String file, String text) {}

  private static List<Words> texts;
  private static List<Words> identifiers;

  @BeforeAll
  static void read() throws IOException {
    List<SourceFile> code = SourceFile.in(CODE, SOURCES);
    texts =
        Stream.concat(SourceFile.in(PAGES, ".md").stream(), code.stream())
            .map(it -> new Words(it.path().toString(), it.text()))
            .toList();
    identifiers =
        code.stream().map(it -> new Words(it.path().toString(), words(it.code()))).toList();
  }

  @ParameterizedTest
  @MethodSource("rulesOfTexts")
  void words_ofTexts_areTheFields(Rule rule) {
    assertNoneIn(texts, rule);
  }

  @ParameterizedTest
  @MethodSource("rulesOfNames")
  void words_ofIdentifiers_areTheFields(Rule rule) {
    assertNoneIn(identifiers, rule);
  }

  private static void assertNoneIn(List<Words> files, Rule rule) {
    assertThat(files).hasSizeGreaterThan(100);
    assertThat(files.stream().flatMap(rule::violations)).isEmpty();
  }

  static List<Rule> rulesOfTexts() {
    return TEXTS;
  }

  static List<Rule> rulesOfNames() {
    return NAMES;
  }

  /** Identifiers as words, of which one with a verb is none. */
  private static String words(String code) {
    return code.replaceAll("\\b(is|are|has)[A-Z_]\\w*", "")
        .replaceAll("(?<=[a-z0-9])(?=[A-Z])", " ")
        .replace('_', ' ')
        .toLowerCase(Locale.ROOT);
  }
}
