package io.mooring.ui;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class MarkupTest {
  @Test
  void textAndAttributesAreEscaped() {
    assertThat(Markup.text("<a href=\"x\">'&'</a>\u0000\n"))
        .hasToString("&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39;&lt;/a&gt;\uFFFD\n");
    assertThat(Markup.element("p", List.of("title", "\" onload=\"x"), Markup.text("<")))
        .hasToString("<p title=\"&quot; onload=&quot;x\">&lt;</p>");
  }

  @Test
  void noTextLeavesItsCell() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    String alphabet = "<>&\"'/=!-a \u0000\u007f\u2028é\uD83D\uDE00";
    for (int i = 0; i < 2000; i++) {
      StringBuilder text = new StringBuilder();
      for (int j = random.nextInt(20); j > 0; j--) {
        text.append(alphabet.charAt(random.nextInt(alphabet.length())));
      }
      assertThat(Markup.text(text.toString()).toString())
          .as("seed %d, text %s", seed, text)
          .doesNotContainPattern("[<>\"']|&(?!lt;|gt;|amp;|quot;|#39;)");
    }
  }

  @Test
  void aTableHasItsHeadersAndRows() {
    assertThat(Markup.table(List.of("a"), List.of(List.of(Markup.text("1")))).toString())
        .isEqualTo(
            "<table class=\"table table-bordered table-sm table-striped\"><thead><tr><th>a</th></tr>"
                + "</thead><tbody><tr><td>1</td></tr></tbody></table>");
  }
}
