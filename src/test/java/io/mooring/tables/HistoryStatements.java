package io.mooring.tables;

import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;

/** Parts of random histories that tables of every format have. */
final class HistoryStatements {
  static final int ROWS = 400;

  private HistoryStatements() {}

  /**
   * A merge that deletes, updates and inserts.
   *
   * @param text the column of strings
   * @param nulls other columns that are null in inserted rows; the table fills those not named here
   */
  static String merge(Random random, String text, List<String> nulls) {
    int first = random.nextInt(ROWS);
    // Rows of the source are those of no two rows of the table.
    return String.format(
        "merge into TABLE t using (select id, int(id %% 3) as k from range(%d, %d)) u"
            + " on t.id = u.id and t.k = u.k"
            + " when matched and t.id %% 2 = 0 then delete"
            + " when matched then update set d = d + 1, %s = concat(t.%s, '!')"
            + " when not matched then insert (id, k%s) values (u.id, u.k%s)",
        first,
        first + random.nextInt(ROWS / 2),
        text,
        text,
        nulls.stream().map(", "::concat).collect(Collectors.joining()),
        ", null".repeat(nulls.size()));
  }

  /**
   * A condition for rows to delete or update.
   *
   * @param text the column of strings
   */
  static String condition(Random random, String text) {
    int from = random.nextInt(ROWS);
    String[] conditions = {
      "id % " + (2 + random.nextInt(9)) + " = 1",
      "id between " + from + " and " + (from + random.nextInt(100)),
      "k = " + random.nextInt(5),
      text + " like '%" + random.nextInt(10) + "'",
      "k is null or n.x = " + from,
      "d > " + random.nextInt(60) + " and id % 2 = 0"
    };
    return conditions[random.nextInt(conditions.length)];
  }
}
