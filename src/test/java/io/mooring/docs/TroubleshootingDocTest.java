package io.mooring.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The page and the messages in the sources are the same words. */
class TroubleshootingDocTest {
  private static final String VARIABLE = "…";
  private static final String LITERAL = "\\(\\s*(?:\"((?:[^\"\\\\]|\\\\.)*)\")?";
  private static final Pattern LOGGED = Pattern.compile("LOG\\.(?:warn|error)" + LITERAL);
  private static final Pattern REASON =
      Pattern.compile("new Un(?:readableOnGpu|usableGpu)Exception" + LITERAL);

  private static String sources;
  private static String page;

  @BeforeAll
  static void readBoth() throws IOException {
    page = Page.of("troubleshooting.md").text();
    Path root = Path.of(System.getProperty("mooring.basedir"), "src", "main", "java");
    try (Stream<Path> files = Files.walk(root)) {
      sources =
          files
              .filter(file -> file.toString().endsWith(".java"))
              .map(TroubleshootingDocTest::joined)
              .collect(Collectors.joining("\n"));
    }
  }

  /** A file in which literals that are broken over lines are whole. */
  private static String joined(Path file) {
    try {
      return Files.readString(file).replaceAll("\"\\s*\\+\\s*\"", "");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void everyQuotedMessageIsInTheSources() {
    List<String> quoted = new ArrayList<>();
    page.lines()
        .filter(line -> line.startsWith("### ") || line.startsWith("| "))
        .map(line -> line.startsWith("| ") ? line.substring(0, line.indexOf(" | ")) : line)
        .forEach(line -> quoted.addAll(Page.quoted(line)));
    assertThat(quoted).hasSizeGreaterThan(30);
    assertThat(quoted.stream().filter(message -> !isInSources(message))).isEmpty();
  }

  private static boolean isInSources(String message) {
    return Stream.of(message.split("(?:…[.,)]?)+")).map(String::strip).allMatch(sources::contains);
  }

  @Test
  void everyWarningAndErrorIsExplained() {
    assertThat(explained(LOGGED)).hasSizeGreaterThan(10);
  }

  @Test
  void everyReasonToFallBackIsExplained() {
    assertThat(explained(REASON)).hasSizeGreaterThan(15);
  }

  /** The literals that a pattern finds in the sources, each of which the page has. */
  private static List<String> explained(Pattern pattern) {
    List<String> found =
        pattern
            .matcher(sources)
            .results()
            .filter(match -> match.group(1) != null)
            .map(match -> match.group(1).replaceAll("\\{}|%[,\\d]*[sd]", VARIABLE).strip())
            .toList();
    String flat = page.replaceAll("\\s+", " ");
    assertThat(found.stream().filter(message -> !flat.contains(message))).isEmpty();
    return found;
  }
}
