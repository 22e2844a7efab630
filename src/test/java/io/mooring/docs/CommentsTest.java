package io.mooring.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Comments begin with a noun phrase or a verb: what begins with Of, Those, That or As is understood
 * only with a word that the reader has to guess.
 */
class CommentsTest {
  private static final List<String> FOLDERS =
      List.of(
          "src/main/java",
          "src/test/java",
          "src/stores/java",
          "src/clients/java",
          "benchmarks/src/main/java",
          "benchmarks/src/test/java",
          "examples");
  private static final Pattern FRAGMENT = Pattern.compile("(?:Of|Those|That|As)\\b(?s:.*)");

  @Test
  void commentsBeginInPlainOrder() throws IOException {
    List<String> fragments = new ArrayList<>();
    for (SourceFile file : SourceFile.in(FOLDERS, ".java")) {
      file.comments().stream()
          .filter(comment -> FRAGMENT.matcher(comment).matches())
          .map(comment -> file.path() + ": " + comment.lines().findFirst().orElse(""))
          .forEach(fragments::add);
    }
    assertThat(fragments).isEmpty();
  }

  @Test
  void commentsAreToldFromStrings() {
    String text =
        """
        /** Of one. */
        String url = "http://a"; // As two
            // of one comment.
        char quote = '"'; // Three "quotes.
        /*
         * Four
         * lines.
         */
        String block = \"""
            // no comment
            \""";
        """;
    assertThat(new SourceFile(Path.of("A.java"), text).comments())
        .containsExactly("Of one.", "As two\nof one comment.", "Three \"quotes.", "Four\nlines.");
  }
}
