package io.mooring.conf;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MachineLimitsTest {
  private static final long GIB = 1L << 30;

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

  private MachineLimits limits() {
    return new MachineLimits(root);
  }

  private OptionalLong container() {
    return limits().containerLimit();
  }

  @Test
  void aTenthOfAMachineIsTheSystems() {
    assertThat(limits().memory()).isBetween(14 * GIB, 16 * GIB / 10 * 9);
  }

  @Test
  void withoutACgroupLimitThereIsNoContainer() throws IOException {
    assertThat(container()).isEmpty();
    write("sys/fs/cgroup/memory.max", "max\n");
    write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
    assertThat(container()).isEmpty();
  }

  @Test
  void aContainersLimitCountsInBothCgroupVersions() throws IOException {
    write("sys/fs/cgroup/memory/memory.limit_in_bytes", "8589934592\n");
    assertThat(container()).hasValue(8 * GIB);
    write("sys/fs/cgroup/memory.max", "4294967296\n");
    assertThat(container()).hasValue(4 * GIB);
  }

  @ParameterizedTest
  @CsvSource({"max, 2147483648, max", "4294967296, 2147483648, max", "2147483648, max, 8589934592"})
  void theSmallestLimitOnThePathCounts(String own, String above, String top) throws IOException {
    write("proc/self/cgroup", "0::/jobs/executor\n");
    write("sys/fs/cgroup/jobs/executor/memory.max", own + "\n");
    write("sys/fs/cgroup/jobs/memory.max", above + "\n");
    write("sys/fs/cgroup/memory.max", top + "\n");
    assertThat(container()).hasValue(2 * GIB);
  }

  @Test
  void theOlderCgroupsPathIsFollowed() throws IOException {
    write("proc/self/cgroup", "5:cpu:/other\n4:memory:/jobs/one\n0::/\n");
    write("sys/fs/cgroup/memory/jobs/memory.limit_in_bytes", "3221225472\n");
    write("sys/fs/cgroup/memory/jobs/one/memory.limit_in_bytes", "9223372036854771712\n");
    assertThat(container()).hasValue(3 * GIB);
  }

  @Test
  void aMemoryControllerBesideAnotherIsFound() throws IOException {
    write("proc/self/cgroup", "4:hugetlb,memory:/jobs\n");
    write("sys/fs/cgroup/memory/jobs/memory.limit_in_bytes", "3221225472\n");
    assertThat(container()).hasValue(3 * GIB);
  }

  @Test
  void aPathThatIsNotMountedCountsAsTheMountsTop() throws IOException {
    write("sys/fs/cgroup/memory.max", "4294967296\n");
    write("proc/self/cgroup", "0::/kubepods/pod1/container2\n");
    assertThat(container()).hasValue(4 * GIB);
    write("proc/self/cgroup", "0::/../../pod1\n");
    assertThat(container()).hasValue(4 * GIB);
  }

  @Test
  void aLimitAboveAMachineThatGrowsIsBelieved() throws IOException {
    write("sys/fs/cgroup/memory.max", "137438953472\n");
    assertThat(container()).hasValue(128 * GIB);
  }
}
