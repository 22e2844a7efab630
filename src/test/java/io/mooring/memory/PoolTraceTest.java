package io.mooring.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Traces of known operations on a pool over memory that no driver has pinned. */
@Tag("forked")
class PoolTraceTest {
  private static final long MIB = 1 << 20;
  private static final int ALLOCATE = 0;
  private static final int FREE = 1;

  @TempDir Path folder;

  private record Entry(long nanos, long address, long bytes, int thread, int operation) {
    Entry(ByteBuffer in) {
      this(in.getLong(), in.getLong(), in.getLong(), in.getInt(), in.getInt());
    }
  }

  @BeforeAll
  static void startPool() {
    assertThatThrownBy(PinnedPool::startTrace).isInstanceOf(IllegalStateException.class);
    PinnedPool.start(
        new PoolSettings(16 * MIB, 16 * MIB, 0, Duration.ofMillis(100), 1, -1, List.of(), false));
    assertThat(PinnedPool.awaitStarted(Duration.ofSeconds(30))).isTrue();
  }

  private List<Entry> written() throws IOException {
    Path file = folder.resolve("pool.trace");
    PinnedPool.writeTrace(file);
    ByteBuffer in = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.nativeOrder());
    byte[] magic = new byte[8];
    in.get(magic);
    assertThat(magic).isEqualTo("MOORTRC1".getBytes(StandardCharsets.US_ASCII));
    long count = in.getLong();
    assertThat(in.remaining()).isEqualTo(32 * count);
    List<Entry> entries = new ArrayList<>();
    while (in.hasRemaining()) {
      entries.add(new Entry(in));
    }
    return entries;
  }

  @Test
  void everyOperationIsInTheFileInItsOrder() throws Exception {
    HostMemory.allocate(64).close();
    PinnedPool.startTrace();
    HostBuffer small = HostMemory.allocate(1000);
    HostBuffer large = HostMemory.allocate(3 * MIB + 1);
    final long smallAt = small.address();
    final long largeAt = large.address();
    assertThat(HostMemory.tryAllocatePinned(17 * MIB)).as("more than the pool").isNull();
    Thread other = new Thread(small::close);
    other.start();
    other.join();
    large.close();
    List<Entry> entries = written();

    assertThat(entries).isSortedAccordingTo((a, b) -> Long.compare(a.nanos(), b.nanos()));
    int self = entries.get(0).thread();
    int freeing = entries.get(2).thread();
    assertThat(freeing).isNotEqualTo(self);
    assertThat(entries)
        .usingRecursiveFieldByFieldElementComparatorIgnoringFields("nanos")
        .containsExactly(
            new Entry(0, smallAt, 1000, self, ALLOCATE),
            new Entry(0, largeAt, 3 * MIB + 1, self, ALLOCATE),
            new Entry(0, smallAt, 1024, freeing, FREE),
            new Entry(0, largeAt, 3 * MIB + (64 << 10), self, FREE));
  }

  @Test
  void aNewTraceForgetsTheOldOne() throws IOException {
    PinnedPool.startTrace();
    HostMemory.allocate(100).close();
    PinnedPool.startTrace();
    HostMemory.allocate(200).close();
    assertThat(written()).extracting(Entry::bytes).containsExactly(200L, 256L);
  }

  @Test
  void nothingIsRecordedOnceATraceIsWritten() throws IOException {
    PinnedPool.startTrace();
    HostMemory.allocate(100).close();
    int first = written().size();
    HostMemory.allocate(100).close();
    assertThat(written()).hasSize(first);
  }

  @Test
  void aFileThatCannotBeWrittenIsNamed() {
    Path missing = folder.resolve("no").resolve("pool.trace");
    PinnedPool.startTrace();
    assertThatThrownBy(() -> PinnedPool.writeTrace(missing))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(missing.toString())
        .hasMessageContaining("No such file");
  }
}
