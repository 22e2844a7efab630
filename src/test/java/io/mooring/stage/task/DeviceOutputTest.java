package io.mooring.stage.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mooring.cache.ChunkCache;
import io.mooring.expr.device.DeviceBatch;
import io.mooring.parquet.read.DecodeMonitor;
import io.mooring.parquet.read.ScanResources;
import io.mooring.parquet.read.TaskLimit;
import io.mooring.scan.output.UnitOutput;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DeviceOutputTest {
  private static final DeviceBatch NO_COLUMNS = new DeviceBatch(List.of(), 3);

  @Test
  void aRefusalIsKnownBeforeTheRestIsRead() {
    DeviceOutput output =
        new DeviceOutput(
            null,
            bytes -> {
              throw new IllegalStateException("no room");
            });
    output.check();
    assertThat(output.isRefused()).isFalse();
    output.keep(NO_COLUMNS);
    assertThat(output.isRefused()).isTrue();
    assertThatThrownBy(output::check).hasMessage("no room");
    assertThatThrownBy(output::take).hasMessage("no room");
  }

  /** Room is kept in whole MiB, and a scan may have thousands of units. */
  @Test
  void theFewGroupsOfManyUnitsShareRoom() {
    List<Long> asked = new ArrayList<>();
    DeviceOutput output = new DeviceOutput(null, asked::add);
    for (int i = 0; i < 1000; i++) {
      output.keep(NO_COLUMNS);
    }
    assertThat(asked).hasSize(1);
  }

  /** A task that waits for these rows may have the only turn. */
  @Test
  void whatOtherTasksWaitFor_isDecodedWithoutATurn() throws InterruptedException {
    TaskLimit limit = new TaskLimit(1);
    ScanResources shared = new ScanResources(null, null, limit, DecodeMonitor.NONE, ChunkCache.OFF);
    Runnable hasToWait =
        () -> {
          throw new AssertionError("it has to wait");
        };
    try (TaskLimit.Turn ofOther = limit.acquire(hasToWait)) {
      DeviceOutput output = new DeviceOutput(null, bytes -> {});
      output.resources(shared).limit().acquire(hasToWait).close();
      UnitOutput rows = unit -> List.of();
      assertThatThrownBy(() -> rows.resources(shared).limit().acquire(hasToWait))
          .hasMessage("it has to wait");
    }
  }

  @Test
  void whatHasRoomIsKept() {
    DeviceOutput output = new DeviceOutput(null, bytes -> {});
    output.keep(NO_COLUMNS);
    assertThat(output.isRefused()).isFalse();
    assertThat(output.take()).containsExactly(NO_COLUMNS);
    assertThat(output.take()).isEmpty();
  }
}
