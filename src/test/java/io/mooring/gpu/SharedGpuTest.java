package io.mooring.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.conf.GpuEntries;
import io.mooring.conf.MooringConf;
import io.mooring.conf.PoolEntries;
import io.mooring.jni.NativeLibrary;
import io.mooring.jni.TransferJni;
import io.mooring.memory.PinnedPool;
import io.mooring.testing.ChildJvm;
import io.mooring.testing.RequiresGpu;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Executors with one setting, started one after the other on one GPU. */
@Tag("whole-gpu")
@Tag("extended")
@RequiresGpu
class SharedGpuTest {
  private static final Pattern STARTED = Pattern.compile("(\\d+) MiB of device memory");
  private static final String REFUSED = "refused: ";
  private static final String FRACTION = "0.1";
  // Room for the context of one more process, and not for its scans.
  private static final double LEFT_MIB = 1200;

  @TempDir Path folder;

  private final List<Process> executors = new ArrayList<>();

  @AfterEach
  void endAll() throws InterruptedException {
    for (Process executor : executors) {
      executor.destroyForcibly().waitFor();
    }
  }

  @Test
  @Timeout(300)
  void theyGetTheSameAndOneWithoutRoomUsesNoGpuAndSaysWhatToSet() throws IOException {
    double total = memoryMib(1);
    for (int i = 0; i < 4; i++) {
      assertThat(mibOf(start(FRACTION))).isEqualTo((long) (total * Double.parseDouble(FRACTION)));
    }
    start(String.valueOf(1 - LEFT_MIB / memoryMib(0)));
    assertThat(start(FRACTION))
        .contains("other processes leave", "spark.mooring.gpu.memory.fraction=0.088 for 9 of them")
        .endsWith("pinned: 0");
  }

  /** The free memory of the device, or all of it. */
  private static double memoryMib(int index) {
    assertThat(NativeLibrary.load()).as(NativeLibrary.problem()).isTrue();
    return (double) TransferJni.memoryInfo(0)[index] / (1 << 20);
  }

  private static long mibOf(String line) {
    Matcher matcher = STARTED.matcher(line);
    assertThat(matcher.find()).as(line).isTrue();
    return Long.parseLong(matcher.group(1));
  }

  /** Starts one, and returns the line that says what it has got, or why it has nothing. */
  private String start(String fraction) throws IOException {
    Process process =
        ChildJvm.of(Executor.class, folder, fraction).redirectErrorStream(true).start();
    executors.add(process);
    // Not closed: the process writes no more than the pipe holds, until the test ends it.
    BufferedReader output = process.inputReader();
    StringBuilder before = new StringBuilder();
    for (String line = output.readLine(); line != null; line = output.readLine()) {
      if (line.startsWith(REFUSED) || STARTED.matcher(line).find()) {
        return line;
      }
      before.append(line).append('\n');
    }
    throw new AssertionError(before.toString());
  }

  /** Takes its share of the GPU until its input ends. */
  static final class Executor {
    private Executor() {}

    public static void main(String[] arguments) throws IOException {
      Map<String, String> settings =
          Map.of(GpuEntries.MEMORY_FRACTION.key(), arguments[0], PoolEntries.SIZE.key(), "64m");
      GpuRuntime gpu = GpuRuntime.start(MooringConf.from(settings), List.of(0));
      if (!gpu.usable()) {
        long pinned = PinnedPool.stats().capacityBytes();
        System.out.println(REFUSED + gpu.reason() + "; pinned: " + pinned);
      }
      System.in.transferTo(System.out);
    }
  }
}
