package io.mooring.conf;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ConfigurationDocTest {
  @Test
  void thePageIsWhatTheCodeSays() throws IOException {
    Path page = Path.of(System.getProperty("mooring.basedir"), "docs", "configuration.md");
    if ("1".equals(System.getenv("MOORING_UPDATE_DOCS"))) {
      Files.createDirectories(page.getParent());
      Files.writeString(page, ConfigurationDoc.markdown());
    }
    assertThat(page).hasContent(ConfigurationDoc.markdown());
  }
}
