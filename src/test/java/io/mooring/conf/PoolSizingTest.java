package io.mooring.conf;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PoolSizingTest {
  private static final long MIB = 1L << 20;
  private static final long GIB = 1L << 30;

  /** A pod of Kubernetes, for spark.executor.memory=8g and Spark's own overhead of a tenth. */
  private static final ExecutorMemory POD_OF_8G = container(9011 * MIB, 8 * GIB);

  private static ExecutorMemory container(long limit, long heap) {
    return new ExecutorMemory(limit, true, heap, 0, 1);
  }

  private static PoolSizing sizing(ExecutorMemory memory, String... settings) {
    Map<String, String> conf = new HashMap<>();
    for (int i = 0; i < settings.length; i += 2) {
      conf.put("spark.mooring.pinnedPool." + settings[i], settings[i + 1]);
    }
    return PoolSizing.of(MooringConf.from(conf), memory);
  }

  private static long taken(PoolSizing sizing, ExecutorMemory memory) {
    return sizing.maxBytes()
        + sizing.fallbackBytes()
        + memory.heap()
        + memory.spark()
        + memory.own();
  }

  @Test
  void autoIsAQuarterOfTheMemoryAndSixteenGibAtMost() {
    assertThat(sizing(container(32 * GIB, 8 * GIB)))
        .isEqualTo(new PoolSizing(8 * GIB, 8 * GIB, 4 * GIB, ""));
    assertThat(sizing(container(512 * GIB, 8 * GIB)).bytes()).isEqualTo(16 * GIB);
  }

  @Test
  void aPodWithSparksDefaultOverheadHasAPoolThatFits() {
    PoolSizing sizing = sizing(POD_OF_8G);
    assertThat(sizing.bytes()).isBetween(50 * MIB, 115 * MIB);
    assertThat(sizing.fallbackBytes()).isEqualTo(64 * MIB);
    assertThat(taken(sizing, POD_OF_8G)).isBetween(9000 * MIB, 9011 * MIB);
    assertThat(sizing.warning())
        .isEqualTo(
            "The pinned pool gets 50 of 2252 MiB and its pageable fallback 64 of 4096: the process"
                + " may use 9011 MiB, of which the heap takes 8192, Spark's off-heap memory and"
                + " Python 0, the JVM and CUDA about 704. For all of it set"
                + " spark.executor.memoryOverhead=7052m and spark.mooring.pinnedPool.size=2252m");
  }

  @Test
  void whatTheWarningSaysToPasteFits() {
    long overhead = 7052 * MIB;
    assertThat(sizing(container(8 * GIB + overhead, 8 * GIB), "size", "2252m"))
        .isEqualTo(new PoolSizing(2252 * MIB, 2252 * MIB, 4 * GIB, ""));
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "1g", "8g", "100g"})
  void nothingEverExceedsTheLimit(String size) {
    for (long limit = 1 * GIB; limit < 40 * GIB; limit += 777 * MIB) {
      for (long heap = 512 * MIB; heap < limit; heap += 512 * MIB) {
        ExecutorMemory memory = new ExecutorMemory(limit, true, heap, heap / 10, 1);
        // Below, a scan gets 64 MiB of pageable buffers all the same.
        if (memory.room(1) < 128 * MIB) {
          continue;
        }
        PoolSizing sizing = sizing(memory, "size", size, "maxSize", "12g");
        assertThat(taken(sizing, memory)).isLessThanOrEqualTo(limit);
        assertThat(sizing.bytes()).isPositive();
        assertThat(sizing.maxBytes()).isGreaterThanOrEqualTo(sizing.bytes());
      }
    }
  }

  @Test
  void theFallbackShrinksBeforeAPoolThatWasAskedFor() {
    // 16 GiB less the heap, 448 MiB and 1/32 of the heap are 7,488 MiB.
    ExecutorMemory memory = container(16 * GIB, 8 * GIB);
    PoolSizing sizing = sizing(memory, "size", "5g");
    assertThat(sizing).isEqualTo(new PoolSizing(5 * GIB, 5 * GIB, 2368 * MIB, ""));
    PoolSizing set = sizing(memory, "size", "5g", "fallback.maxSize", "4g");
    assertThat(set.fallbackBytes()).isEqualTo(2368 * MIB);
    assertThat(set.warning()).contains("pageable fallback 2368 of 4096");
  }

  @Test
  void whereThePoolIsOffPageableMemoryHasTheRoom() {
    assertThat(sizing(container(16 * GIB, 8 * GIB), "size", "0"))
        .isEqualTo(new PoolSizing(0, 0, 4 * GIB, ""));
    assertThat(sizing(POD_OF_8G, "size", "0", "fallback.maxSize", "0").fallbackBytes()).isZero();
  }

  @Test
  void aHeapThatFillsTheContainerLeavesPageableBuffersForAScan() {
    PoolSizing sizing = sizing(container(8 * GIB, 8 * GIB));
    assertThat(sizing.bytes()).isZero();
    assertThat(sizing.fallbackBytes()).isEqualTo(64 * MIB);
    assertThat(sizing.warning()).contains("The pinned pool gets 0 of 2048 MiB");
  }

  @Test
  void growthIsPartOfWhatHasToFit() {
    PoolSizing sizing = sizing(container(16 * GIB, 8 * GIB), "size", "2g", "maxSize", "64g");
    assertThat(sizing.bytes()).isEqualTo(2 * GIB);
    assertThat(sizing.maxBytes()).isBetween(5 * GIB, 6 * GIB);
    assertThat(sizing.warning()).isNotEmpty();
  }

  @Test
  void whatSparkKeepsBesideTheHeapIsLeftToIt() {
    ExecutorMemory without = container(32 * GIB, 8 * GIB);
    ExecutorMemory with = new ExecutorMemory(32 * GIB, true, 8 * GIB, 18 * GIB, 1);
    assertThat(sizing(without).bytes()).isEqualTo(8 * GIB);
    assertThat(sizing(with).bytes()).isLessThan(5 * GIB);
    assertThat(taken(sizing(with), with)).isLessThanOrEqualTo(32 * GIB);
  }

  @ParameterizedTest
  @CsvSource({"1, 64", "2, 64", "3, 64", "8, 128", "16, 2048"})
  void thePoolsOfAllExecutorsOfAHostTakeHalfOfItAtMost(int executors, long gib) {
    ExecutorMemory memory = new ExecutorMemory(gib * GIB, false, GIB, 0, executors);
    PoolSizing each = sizing(memory);
    assertThat(each.bytes() * executors).isBetween(GIB, memory.limit() / 2);
    assertThat(each.bytes()).isLessThanOrEqualTo(memory.limit() / 4);
    assertThat(each.warning()).isEmpty();
    assertThat(sizing(memory, "size", "40g").bytes()).isEqualTo(40 * GIB);
  }

  @Test
  void onAMachineWithoutAContainerThereIsNoOverheadToSet() {
    ExecutorMemory machine = new ExecutorMemory(16 * GIB, false, 12 * GIB, 0, 1);
    assertThat(sizing(machine, "size", "8g").warning())
        .contains("gets 2448 of 8192 MiB")
        .endsWith("Set spark.mooring.pinnedPool.size=2448m, or less of the heap");
  }
}
