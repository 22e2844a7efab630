package io.mooring.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.conf.ExecutorMemory;
import io.mooring.conf.ExecutorMemory.SparkShare;
import io.mooring.conf.MooringConf;
import io.mooring.conf.PoolEntries;
import io.mooring.jni.FaultJni;
import io.mooring.jni.FaultJni.Point;
import io.mooring.jni.NativeLibrary;
import io.mooring.memory.FallbackCause;
import io.mooring.memory.HostBuffer;
import io.mooring.memory.HostMemory;
import io.mooring.memory.PinnedPool;
import io.mooring.testing.LogCapture;
import java.util.List;
import java.util.Map;
import org.apache.logging.log4j.Level;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A driver that refuses to pin memory; needs no GPU, because the driver is not asked. */
@Tag("forked")
class RefusedPoolTest {
  private static final int OUT_OF_MEMORY = 2;
  private static final int BYTES = 3 << 20;

  @Test
  void buffersArePageableAndOneWarningSaysWhy() {
    assertThat(NativeLibrary.load()).as(NativeLibrary.problem()).isTrue();
    FaultJni.failFrom(Point.HOST_REGISTER, 1, OUT_OF_MEMORY);
    PoolStart pool =
        new PoolStart(
            MooringConf.from(Map.of(PoolEntries.SIZE.key(), "64m")),
            ExecutorMemory.ofThisProcess(SparkShare.NONE, 1));
    try (LogCapture log = LogCapture.open()) {
      pool.start(List.of(0));
      assertThat(pool.await()).contains("pool of 0 MiB", "refused: out of memory");
      assertThat(log.messages(Level.WARN))
          .singleElement()
          .asString()
          .startsWith("The pinned pool has 0 of 64 MiB: out of memory. Scans go on");
    }
    try (HostBuffer buffer = HostMemory.allocate(BYTES)) {
      assertThat(buffer.isPinned()).isFalse();
    }
    assertThat(PinnedPool.stats().fallbackCount(FallbackCause.REFUSED)).isEqualTo(1);
    assertThat(PinnedPool.stats().bytesInUse()).isZero();
  }
}
