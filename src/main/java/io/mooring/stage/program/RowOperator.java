package io.mooring.stage.program;

import io.mooring.expr.DeviceExpr;
import java.io.Serializable;
import java.util.List;
import org.apache.spark.sql.types.DataType;
import org.jspecify.annotations.Nullable;

/** What is done with rows, without regard to their order. */
public sealed interface RowOperator extends Serializable {
  /** Whether it does more than leave out columns or change their order. */
  boolean computes();

  /** Keeps the rows for which a condition is true; null is not. */
  record Filter(DeviceExpr condition) implements RowOperator {
    @Override
    public boolean computes() {
      return true;
    }
  }

  /** Puts other columns in the place of those that there are. */
  record Project(List<DeviceExpr> columns) implements RowOperator {
    public Project {
      columns = List.copyOf(columns);
    }

    @Override
    public boolean computes() {
      return !columns.stream().allMatch(DeviceExpr.InputColumn.class::isInstance);
    }
  }

  /** Groups the rows, of which each group comes out once, as a {@link GroupedAggregate} does. */
  record Group(GroupedAggregate aggregate) implements RowOperator {
    @Override
    public boolean computes() {
      return true;
    }
  }

  /**
   * Makes several rows of each, as GROUPING SETS and several distinct aggregates need them.
   *
   * @param projections the columns of each of them, of the same types
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
   * Joins the rows, which are streamed, with those of a broadcast whose keys equal theirs.
   *
   * @param build the place of the broadcast among those of the stage
   * @param buildTypes of the broadcast's columns
   * @param keys over the streamed columns; a row with a null among them matches none
   * @param buildKeys over the broadcast's columns, of the same types
   * @param condition what must be true of a match besides; null for nothing
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
    /** Which rows there are then. */
    public enum Kind {
      /** One for each match. */
      INNER,
      /** One for each match, and those that match none with nulls. */
      OUTER,
      /** Those that match some. */
      SEMI,
      /** Those that match none. */
      ANTI,
      /**
       * Those of which it is certain that they match none, with one key: all of them where the
       * broadcast has no row, else none with a null key, and none at all where it has a null key.
       */
      NULL_AWARE_ANTI,
      /** All, and whether they match some. */
      EXISTENCE
    }

    /** Where a column comes from. */
    public enum Side {
      STREAMED,
      BUILD,
      /** Whether the row matches some. */
      EXISTS
    }

    /**
     * A column.
     *
     * @param ordinal its place among those of its side
     */
    public record Column(Side side, int ordinal) implements Serializable {}

    /**
     * A condition on a match.
     *
     * @param input the columns that it is over
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

    /** Whether only the keys of the broadcast count, each once. */
    public boolean takesKeysAlone() {
      return condition == null && kind != Kind.INNER && kind != Kind.OUTER;
    }

    @Override
    public boolean computes() {
      return true;
    }
  }
}
