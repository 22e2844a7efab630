package io.mooring.benchmarks.env;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NumaNodesTest {

  @TempDir private Path sysfs;

  private void node(int node, long kilobytes) throws IOException {
    Path folder = Files.createDirectories(sysfs.resolve("node" + node));
    Files.writeString(
        folder.resolve("meminfo"),
        "Node %d MemTotal:       %d kB\nNode %d MemFree:        1 kB\n"
            .formatted(node, kilobytes, node));
  }

  @Test
  void nodesWithMemoryAreFoundInOrder() throws IOException {
    node(10, 5);
    node(2, 7);
    node(0, 1024);
    node(3, 0); // a GPU's or an empty socket's
    Files.createDirectories(sysfs.resolve("node4"));
    Files.createDirectories(sysfs.resolve("power"));
    Files.writeString(sysfs.resolve("online"), "0-10\n");
    assertThat(NumaNodes.withMemory(sysfs)).containsExactly(0, 2, 10);
  }

  @Test
  void aMachineThatShowsNoneHasOne() {
    assertThat(NumaNodes.withMemory(sysfs)).containsExactly(0);
    assertThat(NumaNodes.withMemory(sysfs.resolve("absent"))).containsExactly(0);
  }
}
