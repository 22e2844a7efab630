package io.mooring.memory;

import static org.assertj.core.api.Assertions.assertThat;

import ai.rapids.cudf.DeviceMemoryBuffer;
import io.mooring.jni.FileJni;
import io.mooring.jni.TransferJni;
import io.mooring.testing.RequiresGpu;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A pinned buffer that is longer than what is registered at once, which no single copy may be. */
@Tag("forked-gpu")
@RequiresGpu
class BufferOverRegistrationsTest {
  private static final long MIB = 1 << 20;
  private static final long BYTES = 300 * MIB;

  @Test
  void goesToTheDeviceAndBackWhole() {
    TransferJni.setDevice(0);
    PinnedPool.start(
        new PoolSettings(
            700 * MIB, 700 * MIB, 64 * MIB, Duration.ofSeconds(1), 8, 0, List.of(), false));
    assertThat(PinnedPool.awaitStarted(Duration.ofSeconds(60))).isTrue();
    try (HostBuffer up = HostMemory.allocate(BYTES);
        HostBuffer down = HostMemory.allocate(BYTES);
        DeviceMemoryBuffer device = DeviceMemoryBuffer.allocate(BYTES)) {
      assertThat(up.isPinned()).isTrue();
      assertThat(down.isPinned()).isTrue();
      ByteBuffer sent = FileJni.view(up.address(), BYTES);
      fill(sent);
      long to = device.getAddress();
      TransferJni.copyAsync(
          to, up.address(), BYTES, TransferJni.HOST_TO_DEVICE, TransferJni.PER_THREAD_STREAM);
      copyInTwo(down.address(), to);
      TransferJni.syncStream(TransferJni.PER_THREAD_STREAM);
      assertThat(FileJni.view(down.address(), BYTES).equals(sent)).isTrue();
    }
    assertThat(PinnedPool.stats().bytesInUse()).isZero();
  }

  private static void fill(ByteBuffer buffer) {
    Random random = new Random(1);
    while (buffer.hasRemaining()) {
      buffer.putLong(random.nextLong());
    }
    buffer.rewind();
  }

  private static void copyInTwo(long to, long from) {
    long first = BYTES / 2 + 13;
    TransferJni.copyManyAsync(
        new long[] {to, to + first},
        new long[] {from, from + first},
        new long[] {first, BYTES - first},
        TransferJni.DEVICE_TO_HOST,
        TransferJni.PER_THREAD_STREAM);
  }
}
