package io.mooring.ui;

import io.mooring.metrics.StageEnd;
import java.util.List;

/**
 * What the text of a stage's node says: {@code MooringStage [operators] ends below: operator and
 * reason over BatchScan ...}, or {@code exchanges groups: reason}. Reason and scan may name columns
 * and files of users, which may look like any of these words; at worst the parts are cut in the
 * wrong place.
 *
 * @param operators bottom first; those of a final stage likewise
 * @param end why the stage ends where it does; empty where nothing is said
 * @param scan the text of the scan; empty for a final stage
 */
record StageText(List<String> operators, String end, String scan) {
  private static final String OVER = " over BatchScan";

  static StageText of(String node) {
    int from = node.indexOf('[');
    int to = node.indexOf(']', from + 1);
    if (from < 0 || to < 0) {
      return new StageText(List.of(), "", "");
    }
    // Names of operators have no brackets.
    String operators = node.substring(from + 1, to);
    String rest = node.substring(to + 1);
    int over = unquoted(rest);
    String end = (over < 0 ? rest : rest.substring(0, over)).strip();
    return new StageText(
        operators.isEmpty() ? List.of() : List.of(operators.split(", ")),
        StageEnd.begins(end) ? end : "",
        over < 0 ? "" : rest.substring(over + " over ".length()));
  }

  /** The index at which the scan begins; -1 for none. Reasons have such text in backticks only. */
  private static int unquoted(String text) {
    boolean quoted = false;
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) == '`') {
        quoted = !quoted;
      } else if (!quoted && text.startsWith(OVER, i)) {
        return i;
      }
    }
    return text.indexOf(OVER);
  }

  /**
   * The scan's name: its text up to the columns, which follow the list of its folders, or the
   * reason of an exchange behind that.
   */
  String scanName() {
    int columns = scan.indexOf("][");
    int reason = scan.indexOf("] (");
    if (columns < 0 && reason >= 0) {
      columns = scan.indexOf(")[", reason);
    }
    return columns < 0 ? scan : scan.substring(0, columns + 1);
  }
}
