package io.mooring.scan;

import io.mooring.expr.device.DeviceBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** Keeps what a stage makes of its units on the device. Belongs to one thread. */
final class KeptOutput implements UnitOutput {
  private final UnitOperators operators;
  private final LongConsumer room;
  private final List<DeviceBatch> pending = new ArrayList<>();
  private final List<DeviceBatch> kept = new ArrayList<>();
  private @Nullable RuntimeException refused;

  /**
   * @param room asked for so many bytes on the device before they are kept; fails when there is
   *     none
   */
  KeptOutput(UnitOperators operators, LongConsumer room) {
    this.operators = operators;
    this.room = room;
  }

  @Override
  public List<FileBatch> ofDevice(DecodedUnit unit) {
    DeviceBatch made = refused == null ? operators.apply(unit) : null;
    if (made != null) {
      pending.add(made);
    }
    return List.of();
  }

  @Override
  public void done(ScanSteps.Decode unit) {
    List<DeviceBatch> made = List.copyOf(pending);
    pending.clear();
    made.forEach(this::keep);
  }

  /** Takes over a batch. */
  void keep(DeviceBatch made) {
    kept.add(made);
    if (refused != null) {
      return;
    }
    try {
      room.accept(made.bytes());
    } catch (RuntimeException e) {
      // Of no unit's making: what follows need not be computed, and nothing is kept.
      refused = e;
      free(kept);
    }
  }

  /** Whether there was no room for something; what follows is of no use then. */
  boolean isRefused() {
    return refused != null;
  }

  /** Fails as room was refused, where it was. */
  void check() {
    if (refused != null) {
      throw refused;
    }
  }

  /**
   * All that was kept, which the caller closes.
   *
   * @throws RuntimeException when there was no room for it
   */
  List<DeviceBatch> take() {
    check();
    List<DeviceBatch> all = List.copyOf(kept);
    kept.clear();
    return all;
  }

  @Override
  public void drop() {
    free(pending);
  }

  @Override
  public void close() {
    drop();
    free(kept);
    operators.close();
  }

  private static void free(List<DeviceBatch> batches) {
    batches.forEach(DeviceBatch::close);
    batches.clear();
  }
}
