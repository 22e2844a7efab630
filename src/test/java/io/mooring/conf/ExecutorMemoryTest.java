package io.mooring.conf;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.conf.ExecutorMemory.SparkShare;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExecutorMemoryTest {
  private static final long GIB = 1L << 30;

  @Test
  void theHeapIsAllOfItWhateverTheCollector() {
    String set =
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
            .filter(argument -> argument.startsWith("-Xmx"))
            .reduce((first, last) -> last)
            .orElseThrow();
    ExecutorMemory memory = ExecutorMemory.ofThisProcess(SparkShare.NONE, 1);
    assertThat(memory.heap()).isEqualTo(ConfType.Parsers.bytes(set.substring("-Xmx".length())));
    // The parallel collector, which the tests run with, leaves a survivor space out.
    assertThat(memory.heap()).isGreaterThanOrEqualTo(Runtime.getRuntime().maxMemory());
    assertThat(memory.limit()).isPositive();
  }

  @Test
  void theSmallerOfTheCgroupsLimitAndSparksCounts(@TempDir Path root) throws IOException {
    Path group = Files.createDirectories(root.resolve("sys/fs/cgroup"));
    Files.createDirectories(root.resolve("proc"));
    Files.writeString(root.resolve("proc/meminfo"), "MemTotal: 16777216 kB\n");
    SparkShare asked = new SparkShare(GIB, OptionalLong.of(6 * GIB));
    assertThat(memory(root, SparkShare.NONE).isContainer()).isFalse();
    assertThat(memory(root, SparkShare.NONE).limit()).isBetween(12 * GIB, 13 * GIB);
    assertThat(memory(root, asked).limit()).isEqualTo(6 * GIB);
    assertThat(memory(root, asked).isContainer()).isTrue();
    assertThat(memory(root, asked).spark()).isEqualTo(GIB);
    Files.writeString(group.resolve("memory.max"), "4294967296\n");
    assertThat(memory(root, asked).limit()).isEqualTo(4 * GIB);
  }

  private static ExecutorMemory memory(Path root, SparkShare spark) {
    return ExecutorMemory.of(new MachineLimits(root), spark, 1);
  }
}
