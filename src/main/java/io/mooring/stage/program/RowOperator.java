package io.mooring.stage.program;

import io.mooring.expr.DeviceExpr;
import java.io.Serializable;
import java.util.List;
import org.apache.spark.sql.types.DataType;
import org.jspecify.annotations.Nullable;

/** An operator of a stage on the device. Only {@link Top} sorts rows for the operators above it. */
public sealed interface RowOperator extends Serializable
    permits RowOperator.Filter,
        RowOperator.Project,
        RowOperator.Group,
        RowOperator.Top,
        RowOperator.Expand,
        RowOperator.Join,
        RowOperator.FullJoin,
        WindowOperator {
  /** Whether it does more than leave out columns or change their order. */
  boolean computes();

  /** Keeps the rows for which a condition is true, neither false nor null. */
  record Filter(DeviceExpr condition) implements RowOperator {
    @Override
    public boolean computes() {
      return true;
    }
  }

  /** Replaces the columns. */
  record Project(List<DeviceExpr> columns) implements RowOperator {
    public Project {
      columns = List.copyOf(columns);
    }

    @Override
    public boolean computes() {
      return !columns.stream().allMatch(DeviceExpr.InputColumn.class::isInstance);
    }
  }

  /** Groups the rows by a {@link GroupedAggregate}; each group is one row. */
  record Group(GroupedAggregate aggregate) implements RowOperator {
    @Override
    public boolean computes() {
      return true;
    }
  }

  /**
   * Sorts the rows and keeps some of the first, or all; without keys any so many.
   *
   * @param keys by which they are sorted, the first one first
   * @param orders one for each key
   * @param from the ordinal of the first row that is kept
   * @param to the ordinal after the last one
   */
  record Top(List<DeviceExpr> keys, List<Order> orders, int from, int to) implements RowOperator {
    /** The ordinal {@code to} of a sort that keeps all rows. */
    public static final int ALL = Integer.MAX_VALUE;

    /** The order of a key's values. */
    public record Order(boolean descending, boolean nullsFirst) implements Serializable {}

    public Top {
      keys = List.copyOf(keys);
      orders = List.copyOf(orders);
    }

    /** The same operator with an offset of zero. */
    public Top withoutOffset() {
      return new Top(keys, orders, 0, to);
    }

    @Override
    public boolean computes() {
      return true;
    }
  }

  /**
   * Makes several rows of each, for GROUPING SETS and several distinct aggregates.
   *
   * @param projections the columns of each of these rows, of the same types
   */
  record Expand(List<List<DeviceExpr>> projections) implements RowOperator {
    public Expand {
      projections = projections.stream().map(List::copyOf).toList();
    }

    @Override
    public boolean computes() {
      return true;
    }
  }

  /**
   * Joins the streamed rows with those of a build side by equal keys.
   *
   * @param build the ordinal of the broadcast among those of the stage
   * @param buildTypes of the broadcast's columns
   * @param keys over the streamed columns; a row with a null among them matches none
   * @param buildKeys over the broadcast's columns, of the same types
   * @param condition a further condition of a match; null for none
   * @param output the columns that there are then
   */
  record Join(
      Kind kind,
      int build,
      List<DataType> buildTypes,
      List<DeviceExpr> keys,
      List<DeviceExpr> buildKeys,
      @Nullable Condition condition,
      List<Column> output)
      implements RowOperator {
    /** The rows of the result. */
    public enum Kind {
      /** One for each match. */
      INNER,
      /** One for each match, and one with nulls for each streamed row without a match. */
      OUTER,
      /** Streamed rows that have a match. */
      SEMI,
      /** Streamed rows without a match. */
      ANTI,
      /**
       * Streamed rows that certainly have no match, by a single key, as in NOT IN: all where the
       * build side has no row, no row with a null key otherwise, and no row at all where the build
       * side has a null key.
       */
      NULL_AWARE_ANTI,
      /** All streamed rows, with a column that tells whether they have a match. */
      EXISTENCE
    }

    /** The origin of a column. */
    public enum Side {
      STREAMED,
      BUILD,
      /** The column of an existence join. */
      EXISTS
    }

    /**
     * A column.
     *
     * @param ordinal among the columns of its side
     */
    public record Column(Side side, int ordinal) implements Serializable {}

    /**
     * A condition on matches.
     *
     * @param input the columns that it uses
     */
    public record Condition(DeviceExpr expr, List<Column> input) implements Serializable {
      public Condition {
        input = List.copyOf(input);
      }
    }

    public Join {
      buildTypes = List.copyOf(buildTypes);
      keys = List.copyOf(keys);
      buildKeys = List.copyOf(buildKeys);
      output = List.copyOf(output);
    }

    /** Whether the join needs only the distinct keys of the build side. */
    public boolean takesKeysAlone() {
      return condition == null && !pairsRows();
    }

    /** Whether a row is made for each match; else streamed rows stay as they are. */
    public boolean pairsRows() {
      return kind == Kind.INNER || kind == Kind.OUTER;
    }

    @Override
    public boolean computes() {
      return true;
    }
  }

  /**
   * Joins the streamed rows with those of a build side by equal keys, and keeps the rows of both
   * that match none, with nulls. Needs all streamed rows at once. The columns are those of the
   * streamed rows and then those of the build side.
   *
   * @param build the ordinal among the full outer joins of the stage
   * @param keys over the streamed columns; a row with a null among them matches none
   * @param buildKeys over the build side's columns, of the same types
   */
  record FullJoin(
      int build,
      List<DeviceExpr> keys,
      List<DeviceExpr> buildKeys,
      List<DataType> streamedTypes,
      List<DataType> buildTypes)
      implements RowOperator {
    public FullJoin {
      keys = List.copyOf(keys);
      buildKeys = List.copyOf(buildKeys);
      streamedTypes = List.copyOf(streamedTypes);
      buildTypes = List.copyOf(buildTypes);
    }

    @Override
    public boolean computes() {
      return true;
    }
  }
}
