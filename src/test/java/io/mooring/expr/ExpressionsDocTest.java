package io.mooring.expr;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.docs.Page;
import java.io.IOException;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;

class ExpressionsDocTest {
  @Test
  void theTableIsWhatTheCodeSays() throws IOException {
    Page page = Page.of("expressions.md");
    Page expected = page.with("expressions", table());
    if ("1".equals(System.getenv("MOORING_UPDATE_DOCS"))) {
      Files.writeString(page.file(), expected.text());
    }
    assertThat(page.file()).hasContent(expected.text());
  }

  private static String table() {
    StringBuilder table = new StringBuilder("| expression | in Spark's plans | on the GPU |\n");
    table.append("| --- | --- | --- |\n");
    for (ExpressionRule<?> rule : CatalystTranslator.rules()) {
      String sql = rule.sql().startsWith("(") ? rule.sql() : "`" + rule.sql() + "`";
      String conditions = rule.conditions().isEmpty() ? "yes" : rule.conditions();
      table.append(
          "| %s | `%s` | %s |%n"
              .formatted(sql.replace("|", "\\|"), rule.of().getSimpleName(), conditions));
    }
    return table.toString();
  }
}
