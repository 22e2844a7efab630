package io.mooring.tables;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Random statements that write to an Iceberg table, the same ones for the same seed. */
final class IcebergHistory {
  static final String WIDER_FIELD = "alter table TABLE alter column n.x type bigint";
  private static final int MOST_STATEMENTS = 8;
  private static final List<String> FIELDS = List.of("k", "bucket(4, id)", "truncate(3, id)");

  private final Random random;
  private final List<String> statements = new ArrayList<>();
  private final List<String> partitions = new ArrayList<>();
  private final List<String> columns = new ArrayList<>();
  private String text = "s";
  private String part = "y";
  private String parts = "";
  private boolean promoted;
  private boolean byK;
  private int added;

  private IcebergHistory(long seed) {
    this.random = new Random(seed);
  }

  /** The statements of a history, with {@link Histories#TABLE} in the place of the table's name. */
  static List<String> of(long seed) {
    IcebergHistory history = new IcebergHistory(seed);
    history.create();
    for (int left = 2 + history.random.nextInt(MOST_STATEMENTS); left > 0; left--) {
      history.addStatement();
    }
    return history.statements;
  }

  private void create() {
    String mode = random.nextInt(4) > 0 ? "merge-on-read" : "copy-on-write";
    if (random.nextInt(3) > 0) {
      partitions.add(FIELDS.get(random.nextInt(FIELDS.size())));
    }
    statements.add(
        "create table TABLE (id bigint, k int, s string, f float, d decimal(10, 2),"
            + " n struct<x: int, y: string>, a array<struct<p: int, q: string>>) using iceberg "
            + (partitions.isEmpty() ? "" : "partitioned by (" + partitions.get(0) + ") ")
            + "tblproperties ('format-version' = '"
            + (2 + random.nextInt(2))
            + "', 'write.delete.mode' = '"
            + mode
            + "', 'write.update.mode' = '"
            + mode
            + "', 'write.merge.mode' = '"
            + mode
            // Files of several row groups.
            + "', 'write.parquet.row-group-size-bytes' = '2000', 'write.parquet.page-row-limit' = '8',"
            + " 'write.parquet.row-group-check-min-record-count' = '32',"
            + " 'write.parquet.row-group-check-max-record-count' = '32')");
    byK = partitions.contains("k");
    insert();
  }

  private void addStatement() {
    switch (random.nextInt(11)) {
      case 0, 1 -> insert();
      case 2, 3, 4 ->
          statements.add("delete from TABLE where " + HistoryStatements.condition(random, text));
      case 5 ->
          statements.add(
              "update TABLE set k = k + 1 where " + HistoryStatements.condition(random, text));
      case 6 ->
          statements.add(
              "update TABLE set "
                  + text
                  + " = null where "
                  + HistoryStatements.condition(random, text));
      case 7 -> statements.add(HistoryStatements.merge(random, text, others()));
      case 8, 9 -> changeSchema();
      default -> changePartitions();
    }
  }

  private void insert() {
    int first = random.nextInt(HistoryStatements.ROWS);
    statements.add(
        String.format(
            "insert into TABLE (id, k, %s, f, d, n, a%s) select /*+ repartition(%d) */ id,"
                + " if(id %% 11 = 0, null, int(id %% 4)), concat('text', id %% 37), float(id / 3),"
                + " id / 7, if(id %% 5 = 0, null, named_struct('x', int(id), '%s', string(id)%s)),"
                + " array(named_struct('p', int(id), 'q', string(id)), null)%s from range(%d, %d)",
            text,
            columns.stream().map(", "::concat).collect(Collectors.joining()),
            1 + random.nextInt(3),
            part,
            parts,
            ", null".repeat(columns.size()),
            first,
            first + random.nextInt(HistoryStatements.ROWS)));
  }

  /** All columns but the first two: before Spark 4.1 statements have to name every one. */
  private List<String> others() {
    return Stream.concat(Stream.of(text, "f", "d", "n", "a"), columns.stream()).toList();
  }

  private void changeSchema() {
    switch (random.nextInt(6)) {
      case 0 -> {
        statements.add("alter table TABLE rename column " + text + " to " + text + "r");
        text += "r";
      }
      case 1 -> {
        statements.add("alter table TABLE rename column n." + part + " to " + part + "r");
        part += "r";
      }
      case 2 -> promote();
      case 3 -> statements.add("alter table TABLE alter column d first");
      case 4 -> {
        statements.add("alter table TABLE add column n.z" + added + " string");
        parts += ", 'z" + added++ + "', string(id)";
      }
      default -> addColumn();
    }
  }

  private void promote() {
    // Iceberg does not read earlier snapshots with a partition's value of a wider type.
    if (!promoted && !byK) {
      promoted = true;
      statements.add("alter table TABLE alter column k type bigint");
      statements.add("alter table TABLE alter column f type double");
      statements.add("alter table TABLE alter column d type decimal(14, 2)");
      statements.add(WIDER_FIELD);
    }
  }

  private void addColumn() {
    String column = "added" + added++;
    columns.add(column);
    statements.add("alter table TABLE add column " + column + " bigint");
    statements.add(
        "update TABLE set " + column + " = id where " + HistoryStatements.condition(random, text));
    if (random.nextBoolean()) {
      statements.add("alter table TABLE drop column " + column);
      // Another column of the name, of another type.
      statements.add("alter table TABLE add column " + column + " string");
    }
  }

  private void changePartitions() {
    if (!partitions.isEmpty() && random.nextBoolean()) {
      statements.add("alter table TABLE drop partition field " + partitions.remove(0));
    } else {
      String field = FIELDS.get(random.nextInt(FIELDS.size()));
      if (!partitions.contains(field)) {
        partitions.add(field);
        byK |= field.equals("k");
        statements.add("alter table TABLE add partition field " + field);
      }
    }
  }

  /** Queries over the table as it is after the history. */
  static List<String> queries(Random random) {
    int from = random.nextInt(HistoryStatements.ROWS);
    return List.of(
        "select * from TABLE",
        "select k, count(*), sum(d), max(id) from TABLE where f < 200 group by k",
        "select id, _pos, _file, _spec_id, _partition from TABLE",
        "select k, d, _pos from TABLE where id between " + from + " and " + (from + 30),
        "select _file, k, sum(_pos), count(*) from TABLE where f > 20 group by _file, k",
        "select id, n.x, n from TABLE where id between " + from + " and " + (from + 50),
        "select count(*), min(id), count(n.x) from TABLE where d > " + from / 7 + " or k is null",
        "select a.id, b.k from TABLE a join TABLE b on a.id = b.id where b.k = 2");
  }

  /** Queries that read no more than columns and rows, of which it is known what is decoded. */
  static List<String> scans(Random random) {
    int from = random.nextInt(HistoryStatements.ROWS);
    return List.of(
        "select * from TABLE",
        "select * from TABLE where id between " + from + " and " + (from + 30),
        "select id, k from TABLE where k = " + random.nextInt(4) + " and d < " + from / 4);
  }
}
