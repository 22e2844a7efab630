package io.mooring.stage.device;

import io.mooring.expr.device.DeviceBatch;
import io.mooring.expr.device.SparkFallbackException;
import io.mooring.stage.program.RowOperator;
import io.mooring.stage.program.StageProgram;
import io.mooring.stage.program.WindowOperator;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.LongConsumer;
import org.apache.spark.sql.types.DataType;
import org.jspecify.annotations.Nullable;

/**
 * Merges the partial groups of a stage on the device and applies the operators above: the final
 * aggregate and what follows. Uses the per-thread stream of the calling thread.
 *
 * @param stage makes the groups
 * @param above the operators over merged groups
 * @param builds the broadcasts of their joins
 * @param sides the rows of the build sides of their full outer joins; they stay the caller's
 * @param room reserves bytes on the device before they are used; fails when there is no room
 */
public record FinalOperators(
    StageProgram stage,
    StageProgram above,
    BuildTables builds,
    List<List<DeviceBatch>> sides,
    LongConsumer room) {
  // Rows, keys and results, and those as sorted and as joined.
  private static final int WINDOW_COPIES = 3;
  private static final int MOST_VALUE_BYTES = 16;

  /**
   * Makes, or waits for, the build sides of joins. Optional: {@link #results} does it where it was
   * not done.
   *
   * @throws SparkFallbackException when one cannot be on the device
   */
  public void prepare() {
    builds.prepare(above);
  }

  /**
   * The results, which the caller closes.
   *
   * @param partials closed in any case
   * @throws SparkFallbackException when Spark has to compute them
   */
  public List<DeviceBatch> results(List<DeviceBatch> partials) {
    DeviceBatch rows = merged(partials);
    for (StageProgram step : steps()) {
      rows = applied(step, rows);
    }
    return rows == null ? List.of() : List.of(rows);
  }

  /**
   * The operators, divided into steps. A join may take its input in slices, and only the end of a
   * step puts the results of slices together. A grouping and a sort with a limit end a step. A
   * window and a full outer join begin one, because they need all rows at once.
   */
  private List<StageProgram> steps() {
    List<StageProgram> steps = new ArrayList<>();
    List<RowOperator> operators = new ArrayList<>();
    for (RowOperator operator : above.operators()) {
      if (operator instanceof RowOperator.Group group) {
        steps.add(new StageProgram(operators, group.aggregate(), group.aggregate().output()));
        operators.clear();
      } else if (operator instanceof RowOperator.Top top) {
        operators.add(top.withoutOffset());
        steps.add(new StageProgram(operators, null, above.output()));
        operators.clear();
        if (top.from() > 0) {
          operators.add(top);
        }
      } else {
        List<DataType> together = inputOfAllRows(operator);
        if (together != null && !operators.isEmpty()) {
          steps.add(new StageProgram(operators, null, together));
          operators.clear();
        }
        operators.add(operator);
        if (operator instanceof RowOperator.FullJoin) {
          steps.add(new StageProgram(operators, null, above.output()));
          operators.clear();
        }
      }
    }
    steps.add(new StageProgram(operators, null, above.output()));
    return steps;
  }

  /** The columns of an operator that needs all rows at once; null for others. */
  private static @Nullable List<DataType> inputOfAllRows(RowOperator operator) {
    if (operator instanceof WindowOperator window) {
      return window.input();
    }
    return operator instanceof RowOperator.FullJoin join ? join.streamedTypes() : null;
  }

  /**
   * The rows that a step makes, null for none.
   *
   * @param rows null for none; closed in any case
   */
  private @Nullable DeviceBatch applied(StageProgram step, @Nullable DeviceBatch rows) {
    if (!step.operators().isEmpty()
        && step.operators().get(0) instanceof RowOperator.FullJoin join) {
      return joined(join, rows);
    }
    try (rows) {
      if (rows != null && !step.operators().isEmpty()) {
        room.accept(windowBytes(step.operators().get(0), rows) + sortBytes(step.top(), rows));
      }
      // The build sides stay with their owner for the steps to come.
      DeviceBatch results = rows == null ? null : new DeviceOperators(step, builds).apply(rows);
      return results == null && step.givesARow() ? RowUpload.groupOfNothing(step) : results;
    }
  }

  private static long windowBytes(RowOperator operator, DeviceBatch rows) {
    if (!(operator instanceof WindowOperator window)) {
      return 0;
    }
    int added =
        window.results().size()
            + (window instanceof WindowOperator.Running running ? running.scans().size() : 0);
    return WINDOW_COPIES * (rows.bytes() + rows.rows() * added * MOST_VALUE_BYTES);
  }

  /** Bytes of a sort of all rows: a copy of them, and the keys. */
  private static long sortBytes(RowOperator.@Nullable Top top, DeviceBatch rows) {
    return top == null || top.keys().isEmpty() || top.to() != RowOperator.Top.ALL
        ? 0
        : rows.bytes() + rows.rows() * top.keys().size() * MOST_VALUE_BYTES;
  }

  /** The rows of a full outer join; the streamed ones are closed in any case. */
  private DeviceBatch joined(RowOperator.FullJoin join, @Nullable DeviceBatch rows) {
    try (DeviceBatch streamed =
            rows == null ? DeviceBatches.concatenated(List.of(), join.streamedTypes()) : rows;
        DeviceBatch build =
            DeviceBatches.concatenated(sides.get(join.build()), join.buildTypes())) {
      return new FullOuterJoin(join, room).of(streamed, build);
    }
  }

  private DeviceBatch merged(List<DeviceBatch> partials) {
    try (DeviceOperators operators = new DeviceOperators(stage, BuildTables.none())) {
      if (partials.size() == 1 && stage.expansion() == 1) {
        return DeviceBatches.concatenated(partials, stage.output());
      }
      long rows = partials.stream().mapToLong(DeviceBatch::rows).sum();
      if (rows > Integer.MAX_VALUE) {
        throw new SparkFallbackException(rows + " partial groups are too many for one table");
      }
      // The groups as one table, and at most as much again when merged, or when sorted for that.
      int copies = Objects.requireNonNull(stage.aggregate()).isSorted() ? 3 : 2;
      room.accept(copies * partials.stream().mapToLong(DeviceBatch::bytes).sum());
      return partials.isEmpty()
          ? DeviceBatches.concatenated(partials, stage.output())
          : operators.merged(partials);
    } finally {
      partials.forEach(DeviceBatch::close);
    }
  }
}
