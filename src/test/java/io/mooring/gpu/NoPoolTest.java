package io.mooring.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mooring.conf.GpuEntries;
import io.mooring.conf.MooringConf;
import io.mooring.conf.PoolEntries;
import io.mooring.memory.PinnedPool;
import io.mooring.testing.LogCapture;
import io.mooring.testing.RequiresGpu;
import java.util.List;
import java.util.Map;
import org.apache.logging.log4j.Level;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("forked-gpu")
@RequiresGpu
class NoPoolTest {
  private static final String SIZE = PoolEntries.SIZE.key();
  // Leaves the GPU to other tests beside this one.
  private static final String FRACTION = GpuEntries.MEMORY_FRACTION.key();

  @Test
  void theGpuIsUsedWithoutAPool() {
    try (LogCapture log = LogCapture.open()) {
      GpuRuntime gpu =
          GpuRuntime.start(MooringConf.from(Map.of(SIZE, "0", FRACTION, "0.1")), List.of());
      assertThat(gpu.usable()).as(gpu.reason()).isTrue();
      assertThat(PinnedPool.stats().capacityBytes()).isZero();
      await().untilAsserted(() -> assertThat(log.messages(Level.INFO)).hasSize(1));
      assertThat(log.messages(Level.INFO).get(0)).contains("no pinned pool");
      assertThat(log.messages(Level.WARN)).isEmpty();
    }
  }
}
