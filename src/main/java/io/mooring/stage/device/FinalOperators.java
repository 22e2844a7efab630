package io.mooring.stage.device;

import io.mooring.expr.device.DeviceBatch;
import io.mooring.expr.device.SparkFallbackException;
import io.mooring.stage.program.StageProgram;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * Merges the partial groups of a stage on the device and applies the operators above: the final
 * aggregate and what follows. Uses the per-thread stream of the calling thread.
 *
 * @param stage makes the groups
 * @param above the operators over merged groups
 * @param builds the build sides of their joins
 * @param room reserves bytes on the device before they are used; fails when there is no room
 */
public record FinalOperators(
    StageProgram stage, StageProgram above, BuildTables builds, LongConsumer room) {
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
    try (DeviceBatch merged = merged(partials);
        DeviceOperators operators = new DeviceOperators(above, builds)) {
      DeviceBatch results = operators.apply(merged);
      return results == null ? List.of() : List.of(results);
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
      // The groups as one table, and at most as much again when merged.
      room.accept(2 * partials.stream().mapToLong(DeviceBatch::bytes).sum());
      return partials.isEmpty()
          ? DeviceBatches.concatenated(partials, stage.output())
          : operators.merged(partials);
    } finally {
      partials.forEach(DeviceBatch::close);
    }
  }
}
