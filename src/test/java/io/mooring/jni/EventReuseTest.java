package io.mooring.jni;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.testing.RequiresGpu;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Events that mark the ends of copies are used again, each by one thread at a time. */
@RequiresGpu
class EventReuseTest {
  private static final int THREADS = 8;
  private static final int USES = 2_000;

  @BeforeAll
  static void load() {
    NativeLibrary.load();
  }

  @Test
  void anEventComesBack() {
    TransferJni.setDevice(0);
    long event = TransferJni.takeEvent();
    TransferJni.recycleEvent(event);
    assertThat(TransferJni.takeEvent()).isEqualTo(event);
    assertThat(TransferJni.takeEvent()).isNotEqualTo(event);
  }

  @Test
  @RequiresGpu(devices = 2)
  void anEventComesBackToItsDeviceFromAThreadOfAnother() {
    TransferJni.setDevice(1);
    long event = TransferJni.takeEvent();
    TransferJni.setDevice(0);
    TransferJni.recycleEvent(event);
    assertThat(TransferJni.takeEvent()).isNotEqualTo(event);
    TransferJni.setDevice(1);
    long taken = TransferJni.takeEvent();
    // Other tests of this process use the thread.
    TransferJni.setDevice(0);
    assertThat(taken).isEqualTo(event);
  }

  @Test
  void noTwoThreadsHaveTheSameEvent() throws Exception {
    Set<Long> used = ConcurrentHashMap.newKeySet();
    Set<Long> all = ConcurrentHashMap.newKeySet();
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      List<Future<?>> ends = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        ends.add(threads.submit(() -> useEvents(used, all)));
      }
      for (Future<?> end : ends) {
        end.get();
      }
    } finally {
      threads.shutdownNow();
    }
    // Others use events of the process at the same time.
    assertThat(all).hasSizeLessThan(THREADS * USES / 10);
  }

  private static void useEvents(Set<Long> used, Set<Long> all) {
    TransferJni.setDevice(0);
    for (int i = 0; i < USES; i++) {
      long event = TransferJni.takeEvent();
      assertThat(used.add(event)).as("event %x is used by another thread", event).isTrue();
      all.add(event);
      TransferJni.recordEvent(event, TransferJni.PER_THREAD_STREAM);
      TransferJni.syncEvent(event);
      assertThat(TransferJni.hasPassed(event)).isTrue();
      used.remove(event);
      TransferJni.recycleEvent(event);
    }
  }
}
