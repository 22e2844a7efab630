package io.mooring.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.mooring.gpu.InjectedFault.LastingFault;
import io.mooring.gpu.InjectedFault.PassingFault;
import io.mooring.jni.FaultJni;
import io.mooring.jni.FaultJni.Point;
import io.mooring.jni.NativeLibrary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The tables of docs/failures.md are the faults that the tests inject. */
class FailuresDocTest {
  @BeforeAll
  static void load() {
    assertThat(NativeLibrary.load()).as(NativeLibrary.problem()).isTrue();
  }

  @AfterEach
  void clear() {
    FaultJni.clear();
  }

  @Test
  void theTableOfLastingFaultsIsWhatIsInjected() throws IOException {
    assertThat(rows("## Faults that last"))
        .isEqualTo(
            Arrays.stream(LastingFault.values())
                .map(
                    it ->
                        List.of(
                            it == LastingFault.KERNEL
                                ? "`KERNEL` 0, `cudaErrorIllegalAddress`"
                                : injected(it.fault),
                            it.leavesTheGpu() ? "GPU, pageable buffers" : "Spark's reader",
                            it.leavesTheGpu() ? "one WARN" : "one ERROR"))
                .toList());
  }

  @Test
  void theTableOfPassingFaultsIsWhatIsInjected() throws IOException {
    assertThat(rows("## Faults that pass"))
        .isEqualTo(
            Arrays.stream(PassingFault.values())
                .map(
                    it ->
                        List.of(
                            injected(it.fault),
                            String.valueOf(FaultTables.FILES - it.leftToSpark()),
                            String.valueOf(it.leftToSpark())))
                .toList());
  }

  @Test
  void errorsHaveTheNamesThatCudaGivesThem() {
    Stream.concat(
            Arrays.stream(LastingFault.values()).map(it -> it.fault),
            Arrays.stream(PassingFault.values()).map(it -> it.fault))
        .forEach(
            fault -> {
              FaultJni.clear();
              FaultJni.failNth(Point.DECODE, 1, fault.error());
              InjectedFault inDecode =
                  new InjectedFault(Point.DECODE, 1, fault.error(), fault.name());
              assertThat(catchThrowable(FaultJni::decoding))
                  .hasMessageStartingWith(inDecode.words());
            });
  }

  private static String injected(InjectedFault fault) {
    return "`" + fault.point() + "` " + fault.nth() + ", `" + fault.name() + "`";
  }

  /** All cells but the first of the rows of the table under a heading. */
  private static List<List<String>> rows(String heading) throws IOException {
    Path page = Path.of(System.getProperty("mooring.basedir"), "docs", "failures.md");
    return Files.readAllLines(page).stream()
        .dropWhile(line -> !line.startsWith(heading))
        .skip(1)
        .takeWhile(line -> !line.startsWith("## "))
        .filter(line -> line.startsWith("| "))
        .skip(2)
        .map(line -> List.of(line.substring(2, line.length() - 2).split(" \\| ")))
        .map(cells -> cells.subList(1, cells.size()))
        .toList();
  }
}
