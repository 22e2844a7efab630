package io.mooring.benchmarks.worker.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mooring.benchmarks.cli.HarnessHome;
import io.mooring.memory.HostBuffer;
import io.mooring.memory.HostMemory;
import io.mooring.memory.PinnedPool;
import io.mooring.memory.PoolSettings;
import java.io.File;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Traces of {@link TracedOperations}, in a process of its own as the pool lives as long as one. */
class AllocationTraceTest {
  private static final long MIB = 1 << 20;
  private static final int ALLOCATE = 0;
  private static final int FREE = 1;

  @TempDir private static Path folder;
  private static List<String> said;

  private record Entry(long nanos, long address, long bytes, int thread, int operation) {
    Entry(ByteBuffer in) {
      this(in.getLong(), in.getLong(), in.getLong(), in.getInt(), in.getInt());
    }
  }

  @BeforeAll
  static void run() throws Exception {
    Path classes = Path.of(HarnessHome.poolClasses());
    assumeTrue(Files.exists(classes), () -> "Mooring is not built: " + classes);
    Path library = AllocationTrace.build(folder.resolve("native-build.log"));
    Path log = folder.resolve("log");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                classes + File.pathSeparator + System.getProperty("java.class.path"),
                TracedOperations.class.getName(),
                library.toString(),
                folder.toString())
            .redirectError(log.toFile())
            .start();
    said = process.inputReader().lines().toList();
    assertThat(process.waitFor()).as(Files.readString(log)).isZero();
  }

  private static List<Entry> trace(String name) throws IOException {
    ByteBuffer in =
        ByteBuffer.wrap(Files.readAllBytes(folder.resolve(name))).order(ByteOrder.nativeOrder());
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
  void everyOperationIsInTheFileInItsOrder() throws IOException {
    String[] addresses = said.get(1).split(" ");
    long smallAt = Long.parseLong(addresses[0]);
    long largeAt = Long.parseLong(addresses[1]);
    List<Entry> entries = trace("operations");

    assertThat(entries).hasSize(6);
    assertThat(entries).isSortedAccordingTo((a, b) -> Long.compare(a.nanos(), b.nanos()));
    int self = entries.get(0).thread();
    int freeing = entries.get(4).thread();
    long restAt = entries.get(2).address();
    assertThat(freeing).isNotEqualTo(self);
    assertThat(entries)
        .usingRecursiveFieldByFieldElementComparatorIgnoringFields("nanos")
        .containsExactly(
            new Entry(0, smallAt, 1000, self, ALLOCATE),
            new Entry(0, largeAt, 3 * MIB + 1, self, ALLOCATE),
            new Entry(0, restAt, 8 * MIB, self, ALLOCATE),
            new Entry(0, restAt, 0, self, FREE),
            new Entry(0, smallAt, 0, freeing, FREE),
            new Entry(0, largeAt, 0, self, FREE));
  }

  @Test
  void aNewTraceForgetsTheOldOne() throws IOException {
    assertThat(trace("second")).extracting(Entry::bytes).containsExactly(200L, 0L);
  }

  @Test
  void nothingIsRecordedOnceATraceIsWritten() throws IOException {
    assertThat(trace("after")).isEqualTo(trace("second"));
  }

  @Test
  void thereIsNoTraceOfNoPool() {
    assertThat(said.get(0))
        .isEqualTo("java.lang.IllegalStateException: The pool has not been started");
  }

  @Test
  void aFileThatCannotBeWrittenIsNamed() {
    assertThat(said.get(2))
        .startsWith("java.io.IOException")
        .contains(folder.resolve("no").resolve("t").toString(), "No such file");
  }

  /**
   * Known operations on a pool over memory that no driver has pinned, each group of them with a
   * trace of its own. Arguments: the recorder's library, and the folder for the traces. Prints the
   * addresses of two buffers, and what is thrown where a trace cannot be had.
   */
  static final class TracedOperations {
    private static final long MIB = 1 << 20;

    private TracedOperations() {}

    public static void main(String[] args) throws Exception {
      Path library = Path.of(args[0]);
      Path folder = Path.of(args[1]);
      System.out.println(refusal(() -> AllocationTrace.start(library)));
      PinnedPool.start(
          new PoolSettings(
              16 * MIB, 16 * MIB, 4 * MIB, Duration.ofMillis(100), 1, -1, List.of(), false));
      PinnedPool.awaitStarted(Duration.ofSeconds(30));
      HostMemory.allocate(64).close();
      AllocationTrace.start(library);
      useTheBuffers();
      AllocationTrace.write(folder.resolve("operations"));
      startTwice(library, folder);
      System.out.println(refusal(() -> AllocationTrace.write(folder.resolve("no").resolve("t"))));
    }

    private static void useTheBuffers() throws InterruptedException {
      HostBuffer small = HostMemory.allocate(1000);
      HostBuffer large = HostMemory.allocate(3 * MIB + 1);
      System.out.println(small.address() + " " + large.address());
      if (HostMemory.tryAllocatePinned(17 * MIB) != null) {
        throw new AssertionError("more than the pool");
      }
      fallBack();
      Thread other = new Thread(small::close);
      other.start();
      other.join();
      large.close();
    }

    /** A buffer beside the pool, which no trace has. */
    private static void fallBack() {
      try (HostBuffer rest = HostMemory.allocate(8 * MIB);
          HostBuffer pageable = HostMemory.allocate(2 * MIB)) {
        if (!rest.isPinned() || pageable.isPinned()) {
          throw new AssertionError("not where they were to be");
        }
      }
    }

    private static void startTwice(Path library, Path folder) throws IOException {
      AllocationTrace.start(library);
      HostMemory.allocate(100).close();
      AllocationTrace.start(library);
      HostMemory.allocate(200).close();
      AllocationTrace.write(folder.resolve("second"));
      HostMemory.allocate(300).close();
      AllocationTrace.write(folder.resolve("after"));
    }

    private interface Work {
      void run() throws Exception;
    }

    private static String refusal(Work work) {
      try {
        work.run();
      } catch (Exception e) {
        return e.toString();
      }
      throw new AssertionError("nothing was thrown");
    }
  }
}
