package io.mooring.conf;

import java.util.Locale;

/** Writes docs/configuration.md, so that it never differs from the code. */
public final class ConfigurationDoc {
  private ConfigurationDoc() {}

  /** The whole page as Markdown. */
  public static String markdown() {
    StringBuilder page = new StringBuilder();
    page.append("# Configuration\n\n");
    page.append(
        "Generated from `io.mooring.conf.MooringConf`; run `MOORING_UPDATE_DOCS=1 mvn test");
    page.append(" -Dtest=ConfigurationDocTest` after a change.\n\n");
    page.append(
        "Sizes are Spark byte strings (`512m`, `8g`). A bad value stops the application at");
    page.append(" its start with one message that names key, value and what is allowed.\n\n");
    page.append("| key | default | meaning | read at |\n| --- | --- | --- | --- |\n");
    for (ConfEntry<?> entry : MooringConf.ENTRIES) {
      page.append("| `").append(entry.key()).append("` | `").append(entry.defaultText());
      page.append("` | ").append(entry.doc()).append(" | ");
      page.append(entry.applies().name().toLowerCase(Locale.ROOT)).append(" |\n");
    }
    return page.toString();
  }
}
