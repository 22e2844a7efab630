package io.mooring.benchmarks.numa;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.benchmarks.cli.ByteSize;
import io.mooring.benchmarks.device.Device;
import io.mooring.benchmarks.numa.NumaCommand.NumaWork;
import java.util.List;
import org.junit.jupiter.api.Test;

class NumaPlanTest {

  private static Device gpu(int index, int node) {
    return new Device(index, "GPU", "0000:01:00.0", 1L << 36, 3, node);
  }

  private static NumaPlan plan(boolean oneNodeToo, Integer... nodes) {
    return new NumaPlan(List.of(nodes), oneNodeToo, ByteSize.parse("1m"), 4, 2, 1, 42);
  }

  @Test
  void everyNodeMeetsEveryGpuAloneAndAllAtOnce() {
    var placings = plan(false, 0, 1).placings(List.of(gpu(0, 0), gpu(1, 1), gpu(2, -1)));
    assertThat(placings)
        .extracting(p -> p.query() + ", " + p.arm() + ": " + p.where())
        .containsExactly(
            "GPU 0 alone, node 0: 0 0",
            "GPU 0 alone, node 1: 0 1",
            "GPU 1 alone, node 0: 1 0",
            "GPU 1 alone, node 1: 1 1",
            "GPU 2 alone, node 0: 2 0",
            "GPU 2 alone, node 1: 2 1",
            "all GPUs, node 0: 0 0 1 0 2 0",
            "all GPUs, node 1: 0 1 1 1 2 1",
            "all GPUs, own nodes: 0 0 1 1 2 0");
  }

  @Test
  void oneGpuIsNeverAllGpus() {
    assertThat(plan(false, 0, 1).placings(List.of(gpu(0, 0)))).hasSize(2);
    assertThat(plan(true, 0).placings(List.of(gpu(0, 0), gpu(1, 0)))).hasSize(3);
  }

  @Test
  void oneNodeIsPointlessUnlessItIsAskedFor() {
    assertThat(new NumaWork(plan(false, 0)).pointless()).contains(NumaWork.ONE_NODE);
    assertThat(new NumaWork(plan(true, 0)).pointless()).isEmpty();
    assertThat(new NumaWork(plan(false, 0, 1)).pointless()).isEmpty();
  }
}
