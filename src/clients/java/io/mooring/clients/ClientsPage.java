package io.mooring.clients;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.regex.Pattern;

/** What a section of {@code docs/clients.md} tells its readers to type, and what they then see. */
final class ClientsPage {
  private static final Pattern BLOCK = Pattern.compile("(?ms)^```(\\w*)\\n(.*?)^```$");
  private static final Pattern VARIABLE = Pattern.compile("#\\d+L?|plan_id=\\d+|file:\\S*?\\]");

  private final String section;

  private ClientsPage(String section) {
    this.section = section;
  }

  static ClientsPage section(String heading) throws IOException {
    String page = Files.readString(ClientHome.ROOT.resolve("docs/clients.md"));
    String[] parts = page.split("(?m)^## ");
    for (String part : parts) {
      if (part.startsWith(heading + "\n")) {
        return new ClientsPage(part);
      }
    }
    throw new IllegalArgumentException("No section " + heading);
  }

  /** Its blocks in a language, in order. */
  List<String> blocks(String language) {
    return BLOCK
        .matcher(section)
        .results()
        .filter(block -> block.group(1).equals(language))
        .map(block -> block.group(2))
        .toList();
  }

  /** The lines that it says are printed, without what differs from run to run. */
  List<String> printed() {
    return blocks("text").stream().flatMap(String::lines).map(ClientsPage::constant).toList();
  }

  /** A line without the figures and folders in it that differ from run to run. */
  static String constant(String line) {
    return VARIABLE.matcher(line).replaceAll("").strip();
  }
}
