package io.mooring.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mooring.conf.GpuEntries;
import io.mooring.conf.MooringConf;
import io.mooring.conf.PoolEntries;
import io.mooring.memory.PinnedPool;
import io.mooring.testing.LogCapture;
import io.mooring.testing.RequiresGpu;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.logging.log4j.Level;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("forked-gpu")
@RequiresGpu
class PoolStartupTest {
  private static final String SIZE = PoolEntries.SIZE.key();
  // Leaves the GPU to other tests beside this one.
  private static final String FRACTION = GpuEntries.MEMORY_FRACTION.key();

  @Test
  void thePoolStartsAndOneLineSaysSo() {
    MooringConf conf = MooringConf.from(Map.of(SIZE, "256m", FRACTION, "0.1"));
    try (LogCapture log = LogCapture.open()) {
      GpuRuntime gpu = GpuRuntime.start(conf, List.of());
      assertThat(gpu.usable()).as(gpu.reason()).isTrue();
      assertThat(PinnedPool.awaitStarted(Duration.ofSeconds(60))).isTrue();
      assertThat(PinnedPool.stats().capacityBytes()).isEqualTo(256L << 20);
      assertThat(GpuRuntime.start(conf, List.of())).isSameAs(gpu);
      await().untilAsserted(() -> assertThat(log.messages(Level.INFO)).hasSize(1));
      assertThat(log.messages(Level.INFO).get(0)).contains("GPU 0", "pinned pool of 256 MiB");
      assertThat(log.messages(Level.WARN)).isEmpty();
    }
  }
}
