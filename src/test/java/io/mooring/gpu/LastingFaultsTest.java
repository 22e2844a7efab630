package io.mooring.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.gpu.InjectedFault.LastingFault;
import io.mooring.testing.ChildJvm;
import io.mooring.testing.RequiresGpu;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * After a fault that lasts every query is answered, by Spark's reader, and the process ends well.
 */
@Tag("forked-gpu")
@Tag("extended")
@RequiresGpu
class LastingFaultsTest {
  private static final Duration LIMIT = Duration.ofMinutes(3);

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource
  void everyQueryIsAnswered(LastingFault fault) throws Exception {
    System.out.println("LastingFaultsTest " + fault);
    String output =
        ChildJvm.toItsEnd(LIMIT, 0, FaultedScans.class, folder, fault.name(), folder.toString());
    assertThat(ChildJvm.crashReports(folder)).isZero();
    assertTold(told(output), fault);
  }

  private static void assertTold(Map<String, String> told, LastingFault fault) {
    String files = String.valueOf(FaultTables.FILES);
    String usable = String.valueOf(fault.leavesTheGpu());
    assertThat(told).containsEntry("usable", usable).containsEntry("expected", usable);
    if (fault.leavesTheGpu()) {
      assertThat(told).containsEntry("errors", "0").containsEntry("pinnedBytes", "0");
      assertThat(told).containsEntry("gpuFiles", files).containsEntry("cpuFiles", "0");
    } else {
      assertThat(told).containsEntry("errors", "1");
      assertThat(told.get("error")).contains("Spark's own Parquet reader");
      assertThat(told.get("reason")).contains(fault.fault.words());
      assertThat(told).containsEntry("gpuFiles", "0").containsEntry("cpuFiles", files);
    }
  }

  private static Map<String, String> told(String output) {
    return output
        .lines()
        .filter(line -> line.startsWith(FaultedScans.TOLD))
        .map(line -> line.substring(FaultedScans.TOLD.length()).split("=", 2))
        .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1]));
  }
}
