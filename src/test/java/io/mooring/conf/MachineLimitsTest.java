package io.mooring.conf;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MachineLimitsTest {
  private static final long GIB = 1L << 30;
  private static final String LIMITS = "proc/self/limits";
  private static final String MEMLOCK = "Max locked memory         %s              %s     bytes\n";

  @TempDir Path root;

  @BeforeEach
  void machineOfSixteenGib() throws IOException {
    write("proc/meminfo", "MemTotal:       16777216 kB\nMemFree: 1 kB\n");
  }

  private void write(String file, String content) throws IOException {
    Path path = root.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, content);
  }

  private long memory() {
    return new MachineLimits(root).memory();
  }

  private long lockable() {
    return new MachineLimits(root).lockable();
  }

  @Test
  void withoutACgroupLimitTheMachineCounts() throws IOException {
    assertThat(memory()).isEqualTo(16 * GIB);
    write("sys/fs/cgroup/memory.max", "max\n");
    write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
    assertThat(memory()).isEqualTo(16 * GIB);
  }

  @Test
  void aContainersLimitCountsInBothCgroupVersions() throws IOException {
    write("sys/fs/cgroup/memory/memory.limit_in_bytes", "8589934592\n");
    assertThat(memory()).isEqualTo(8 * GIB);
    write("sys/fs/cgroup/memory.max", "4294967296\n");
    assertThat(memory()).isEqualTo(4 * GIB);
  }

  @Test
  void theLimitOfAGroupAboveTheProcesssOwnCounts() throws IOException {
    write("proc/self/cgroup", "0::/jobs/executor\n");
    write("sys/fs/cgroup/jobs/executor/memory.max", "max\n");
    write("sys/fs/cgroup/jobs/memory.max", "2147483648\n");
    write("sys/fs/cgroup/memory.max", "max\n");
    assertThat(memory()).isEqualTo(2 * GIB);
  }

  @Test
  void theOlderCgroupsPathIsFollowed() throws IOException {
    write("proc/self/cgroup", "5:cpu:/other\n4:memory:/jobs\n0::/\n");
    write("sys/fs/cgroup/memory/jobs/memory.limit_in_bytes", "3221225472\n");
    assertThat(memory()).isEqualTo(3 * GIB);
  }

  @Test
  void aLimitAboveAMachineThatGrowsIsBelieved() throws IOException {
    write("sys/fs/cgroup/memory.max", "137438953472\n");
    assertThat(memory()).isEqualTo(128 * GIB);
  }

  @Test
  void theMemlockLimitBindsAllButRoot() throws IOException {
    write(LIMITS, String.format(MEMLOCK, "67108864", "67108864"));
    write("proc/self/status", "Name:\tjava\nUid:\t1000\t1000\t1000\t1000\n");
    assertThat(lockable()).isEqualTo(64 << 20);
    write("proc/self/status", "Name:\tjava\nUid:\t0\t0\t0\t0\n");
    assertThat(lockable()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void anUnlimitedOrUnknownMemlockIsNoLimit() throws IOException {
    assertThat(lockable()).isEqualTo(Long.MAX_VALUE);
    write(LIMITS, String.format(MEMLOCK, "unlimited", "unlimited"));
    assertThat(lockable()).isEqualTo(Long.MAX_VALUE);
  }
}
