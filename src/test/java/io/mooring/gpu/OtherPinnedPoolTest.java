package io.mooring.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import ai.rapids.cudf.PinnedMemoryPool;
import io.mooring.conf.GpuEntries;
import io.mooring.conf.MooringConf;
import io.mooring.conf.PoolEntries;
import io.mooring.memory.HostBuffer;
import io.mooring.memory.HostMemory;
import io.mooring.memory.PinnedPool;
import io.mooring.testing.LogCapture;
import io.mooring.testing.RequiresGpu;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.logging.log4j.Level;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A process in which something else has started cudf Java's own pinned pool. */
@Tag("forked-gpu")
@RequiresGpu
class OtherPinnedPoolTest {
  private static final String SIZE = PoolEntries.SIZE.key();
  // Leaves the GPU to other tests beside this one.
  private static final String FRACTION = GpuEntries.MEMORY_FRACTION.key();

  @Test
  void libcudfKeepsItAndOneWarningSaysSo() {
    PinnedMemoryPool.initialize(64L << 20);
    assertThat(PinnedMemoryPool.isInitialized()).isTrue();
    try (LogCapture log = LogCapture.open()) {
      GpuRuntime gpu =
          GpuRuntime.start(MooringConf.from(Map.of(SIZE, "256m", FRACTION, "0.1")), List.of());
      assertThat(gpu.usable()).as(gpu.reason()).isTrue();
      assertThat(log.messages(Level.WARN))
          // The tests beside this one may leave less of the GPU than its share.
          .filteredOn(warning -> !warning.startsWith("Mooring takes "))
          .singleElement()
          .asString()
          .startsWith("Another plugin has started ai.rapids.cudf.PinnedMemoryPool")
          .contains(SIZE);
    }
    assertThat(PinnedPool.awaitStarted(Duration.ofSeconds(60))).isTrue();
    try (HostBuffer buffer = HostMemory.allocate(8 << 20)) {
      assertThat(buffer.isPinned()).isTrue();
    }
  }
}
