package io.mooring.conf;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PoolSizingTest {
  private static final long GIB = 1L << 30;
  private static final long NO_LIMIT = Long.MAX_VALUE;

  @TempDir Path root;

  private MachineLimits machine(String file, String content) throws IOException {
    Path path = root.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, content);
    return new MachineLimits(root);
  }

  @Test
  void autoIsAQuarterOfTheMemoryAndSixteenGibAtMost() {
    assertThat(PoolSizing.of(OptionalLong.empty(), 8 * GIB, NO_LIMIT).bytes()).isEqualTo(2 * GIB);
    assertThat(PoolSizing.of(OptionalLong.empty(), 512 * GIB, NO_LIMIT).bytes())
        .isEqualTo(16 * GIB);
  }

  @Test
  void autoStaysWithinTheMemlockLimit() {
    assertThat(PoolSizing.of(OptionalLong.empty(), 64 * GIB, 64 << 20).bytes()).isEqualTo(64 << 20);
    assertThat(PoolSizing.of(OptionalLong.empty(), 64 * GIB, 65_536).bytes()).isZero();
  }

  @Test
  void aSizeThatFitsIsTakenAsItIs() {
    PoolSizing sizing = PoolSizing.of(OptionalLong.of(5 * GIB), 8 * GIB, NO_LIMIT);
    assertThat(sizing.bytes()).isEqualTo(5 * GIB);
    assertThat(sizing.warning()).isEmpty();
  }

  @Test
  void aSizeBeyondTheMachineIsCutWithOneWarning() {
    PoolSizing sizing = PoolSizing.of(OptionalLong.of(1000 * GIB), 8 * GIB, NO_LIMIT);
    assertThat(sizing.bytes()).isLessThan(7 * GIB).isGreaterThan(6 * GIB);
    assertThat(sizing.warning())
        .contains("spark.mooring.pinnedPool.size")
        .contains(String.valueOf(1000 * GIB))
        .contains(String.valueOf(sizing.bytes()));
  }

  @Test
  void aSizeBeyondTheMemlockLimitSaysSo() {
    assertThat(PoolSizing.of(OptionalLong.of(GIB), 8 * GIB, 64 << 20).warning())
        .contains("memlock limit (ulimit -l)");
  }

  @Test
  void theCgroupLimitCountsWhenItIsBelowTheMachine() throws IOException {
    machine("proc/meminfo", "MemTotal:       16777216 kB\nMemFree: 1 kB\n");
    assertThat(machine("sys/fs/cgroup/memory.max", "max\n").memory()).isEqualTo(16 * GIB);
    assertThat(machine("sys/fs/cgroup/memory.max", "4294967296\n").memory()).isEqualTo(4 * GIB);
  }
}
