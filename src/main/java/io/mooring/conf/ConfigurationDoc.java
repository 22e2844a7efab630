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
        "Sizes are Spark byte strings (`512m`, `8g`; a bare number is bytes, so a pool of `8` is"
            + " refused with the question whether `8g` was meant). Words may be in lower or upper"
            + " case. A bad value stops the application at its start with one message that names"
            + " the key, the value and the allowed values.\n\n");
    page.append(
        "Keys that are read at `runtime` may be set for a session (`SET key=value`,"
            + " `spark.conf.set`). A bad value there does not fail a query: one WARN for the session"
            + " names it, and the application's value holds. Keys that are read at `startup`, and"
            + " unknown keys, have no effect in a session; one WARN says so.\n\n");
    page.append(
        "Most applications need at most `spark.mooring.pinnedPool.size`, if `auto` does not fit;"
            + " [tuning.md](tuning.md) says when other keys help.\n");
    for (MooringConf.Group group : MooringConf.GROUPS) {
      page.append("\n## ").append(group.title()).append("\n\n");
      page.append("| key | type | default | meaning | read at | since |\n");
      page.append("| --- | --- | --- | --- | --- | --- |\n");
      group.entries().forEach(entry -> page.append(row(entry)));
    }
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
