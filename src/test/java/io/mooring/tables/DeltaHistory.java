package io.mooring.tables;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Random statements that write to a table of Delta Lake, the same ones for the same seed. */
final class DeltaHistory {
  private static final int MOST_STATEMENTS = 8;

  private final Random random;
  private final boolean mapped;
  private final List<String> statements = new ArrayList<>();
  private String text = "s";
  private int added;

  private DeltaHistory(long seed) {
    this.random = new Random(seed);
    this.mapped = random.nextBoolean();
  }

  /** The statements of a history, with {@link Histories#TABLE} in the place of the table's name. */
  static List<String> of(long seed) {
    DeltaHistory history = new DeltaHistory(seed);
    history.create();
    for (int left = 2 + history.random.nextInt(MOST_STATEMENTS); left > 0; left--) {
      history.addStatement();
    }
    return history.statements;
  }

  private void create() {
    List<String> properties = new ArrayList<>();
    properties.add("'delta.enableDeletionVectors' = '" + (random.nextInt(4) > 0) + "'");
    if (mapped) {
      properties.add("'delta.columnMapping.mode' = 'name'");
    }
    if (random.nextInt(4) == 0) {
      properties.add("'delta.enableRowTracking' = 'true'");
    }
    String[] layouts = {"", "partitioned by (k)", "cluster by (id)"};
    statements.add(
        "create table TABLE (id bigint, k int, s string, d decimal(10, 2), n struct<x: int, y: string>)"
            + " using delta "
            + layouts[random.nextInt(layouts.length)]
            + " tblproperties ("
            + String.join(", ", properties)
            + ")");
    insert();
  }

  private void addStatement() {
    switch (random.nextInt(9)) {
      case 0, 1 -> insert();
      case 2, 3 ->
          statements.add("delete from TABLE where " + HistoryStatements.condition(random, text));
      case 4 ->
          statements.add(
              "update TABLE set k = k + 1 where " + HistoryStatements.condition(random, text));
      case 5 ->
          statements.add(
              "update TABLE set "
                  + text
                  + " = null where "
                  + HistoryStatements.condition(random, text));
      case 6 -> statements.add(HistoryStatements.merge(random, text, List.of()));
      case 7 -> changeSchema();
      default -> statements.add("optimize TABLE");
    }
  }

  private void insert() {
    int first = random.nextInt(HistoryStatements.ROWS);
    statements.add(
        String.format(
            "insert into TABLE (id, k, %s, d, n) select /*+ repartition(%d) */ id, if(id %% 11 = 0,"
                + " null, int(id %% 4)), concat('text', id %% 37), id / 7, if(id %% 5 = 0, null,"
                + " named_struct('x', int(id), 'y', string(id))) from range(%d, %d)",
            text, 1 + random.nextInt(3), first, first + random.nextInt(HistoryStatements.ROWS)));
  }

  private void changeSchema() {
    if (mapped && random.nextBoolean()) {
      String renamed = text + "r";
      statements.add("alter table TABLE rename column " + text + " to " + renamed);
      text = renamed;
      return;
    }
    String column = "added" + added++;
    statements.add("alter table TABLE add column " + column + " bigint");
    statements.add(
        "update TABLE set " + column + " = id where " + HistoryStatements.condition(random, text));
    if (mapped && random.nextBoolean()) {
      statements.add("alter table TABLE drop column " + column);
    }
  }

  /** Queries over the table as it is after the history. */
  static List<String> queries(Random random) {
    int from = random.nextInt(HistoryStatements.ROWS);
    return List.of(
        "select * from TABLE",
        "select count(*) from TABLE",
        "select k, count(*), sum(d), max(id) from TABLE group by k",
        "select id, n.y from TABLE where id between " + from + " and " + (from + 50),
        "select count(*), min(id), count(n.x) from TABLE where d > " + from / 7 + " or k is null",
        "select a.id, b.k from TABLE a join TABLE b on a.id = b.id where b.k = 2");
  }
}
