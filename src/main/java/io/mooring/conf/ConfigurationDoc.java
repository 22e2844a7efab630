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
        "Sizes are Spark byte strings (`512m`, `8g`; a bare number is bytes). A bad value stops the application at");
    page.append(" its start with one message that names key, value and what is allowed.\n\n");
    page.append("| key | type | default | meaning | read at | since |\n");
    page.append("| --- | --- | --- | --- | --- | --- |\n");
    MooringConf.ENTRIES.forEach(entry -> page.append(row(entry)));
    return page.toString();
  }

  private static String row(ConfEntry<?> entry) {
    return String.format(
        "| `%s` | %s | `%s` | %s | %s | %s |\n",
        entry.key(),
        entry.type().name(),
        entry.defaultText(),
        entry.doc(),
        entry.applies().name().toLowerCase(Locale.ROOT),
        entry.since());
  }
}
