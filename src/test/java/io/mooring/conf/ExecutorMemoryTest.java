package io.mooring.conf;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

class ExecutorMemoryTest {
  @Test
  void theHeapIsAllOfItWhateverTheCollector() {
    String set =
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
            .filter(argument -> argument.startsWith("-Xmx"))
            .reduce((first, last) -> last)
            .orElseThrow();
    ExecutorMemory memory = ExecutorMemory.ofThisProcess(0, 1);
    assertThat(memory.heap()).isEqualTo(Parsers.bytes(set.substring("-Xmx".length())));
    // The parallel collector, which the tests run with, leaves a survivor space out.
    assertThat(memory.heap()).isGreaterThanOrEqualTo(Runtime.getRuntime().maxMemory());
    assertThat(memory.limit()).isPositive();
  }
}
