package io.mooring.parquet.read;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.Table;
import java.lang.reflect.Field;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.objenesis.ObjenesisStd;

/** Tables without device memory, in the place of decoded ones: they have a number of rows alone. */
final class FakeTables implements DecodedTables {
  private final Deque<Long> rows = new ArrayDeque<>();
  private final List<Table> given = new ArrayList<>();
  private final List<String> events;

  /**
   * @param rows of each table; -1 for a failure in its place
   * @param events to which the close of these tables is added
   */
  FakeTables(List<String> events, Long... rows) {
    this.events = events;
    this.rows.addAll(Arrays.asList(rows));
  }

  @Override
  public @Nullable Table next() {
    Long next = rows.poll();
    if (next == null) {
      return null;
    } else if (next < 0) {
      throw new IllegalStateException("for a test");
    }
    Table table = table(next);
    given.add(table);
    return table;
  }

  private static Table table(long rows) {
    try {
      Table table = new ObjenesisStd().newInstance(Table.class);
      set(table, "rows", rows);
      set(table, "columns", new ColumnVector[0]);
      return table;
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  private static void set(Table table, String name, Object value)
      throws ReflectiveOperationException {
    Field field = Table.class.getDeclaredField(name);
    field.setAccessible(true);
    field.set(table, value);
  }

  /** Whether all tables that were given have been closed. */
  boolean allClosed() {
    return given.stream().allMatch(FakeTables::isClosed);
  }

  private static boolean isClosed(Table table) {
    try {
      Field field = Table.class.getDeclaredField("columns");
      field.setAccessible(true);
      return field.get(table) == null;
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() {
    events.add("tables");
  }
}
