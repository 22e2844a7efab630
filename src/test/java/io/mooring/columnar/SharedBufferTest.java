package io.mooring.columnar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.mooring.memory.HostBuffer;
import io.mooring.memory.HostMemory;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** When the memory of columns is free. */
class SharedBufferTest {
  private final HostBuffer buffer = HostMemory.allocate(1 << 20);

  private boolean isFree() {
    try {
      return buffer.address() == 0;
    } catch (IllegalStateException e) {
      return true;
    }
  }

  @Test
  void theLastUserFreesIt() {
    SharedBuffer shared = new SharedBuffer(buffer);
    shared.retain();
    shared.release();
    assertThat(isFree()).isFalse();
    shared.release();
    assertThatThrownBy(buffer::address).hasMessageContaining("is closed");
  }

  @Test
  void oneThatNobodyReaches_isFreedWhereThatWasAskedFor() {
    SharedBuffer used = watched();
    System.gc();
    assertThat(isFree()).isFalse();
    assertThat(used.address()).isEqualTo(buffer.address());
    used = null;
    await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () -> {
              System.gc();
              return isFree();
            });
  }

  private SharedBuffer watched() {
    SharedBuffer shared = new SharedBuffer(buffer);
    shared.freeWhenUnreachable();
    shared.freeWhenUnreachable();
    return shared;
  }
}
