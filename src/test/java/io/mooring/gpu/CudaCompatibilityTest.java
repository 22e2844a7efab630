package io.mooring.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.rapids.cudf.Cuda;
import ai.rapids.cudf.NativeDepsLoader;
import io.mooring.conf.MooringVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CudaCompatibilityTest {
  private static final String CLOSED = "NVIDIA UNIX x86_64 Kernel Module  ";
  private static final String OPEN = "NVIDIA UNIX Open Kernel Module for x86_64  ";

  @TempDir Path folder;

  private Path module(String text) throws IOException {
    String compiler = "GCC version:  gcc version 12.2.0 (Debian 12.2.0-14)\n";
    return Files.writeString(folder.resolve("version"), "NVRM version: " + text + "\n" + compiler);
  }

  private Path device() throws IOException {
    return Files.writeString(folder.resolve("nvidiactl"), "");
  }

  @ParameterizedTest
  @CsvSource({
    CLOSED + "535.104.05,535.104.05",
    OPEN + "570.86.15,570.86.15",
    CLOSED + "470.82,470.82"
  })
  void anOldDriverIsNamedWithTheCudaThatNeedsMore(String name, String version) throws IOException {
    Path module = module(name + "  Sat Aug 19 01:15:15 UTC 2023");
    assertThat(CudaCompatibility.oldDriver(module, device()))
        .hasValue(
            "the NVIDIA driver "
                + version
                + " is too old for CUDA 13, which cudf "
                + MooringVersion.cudf()
                + " and Mooring are built with: update it to 580 or newer");
  }

  @ParameterizedTest
  @CsvSource({CLOSED + "580.65.06", OPEN + "610.12", "something else"})
  void anotherDriverIsNotBlamed(String name) throws IOException {
    Path module = module(name + "  Release Build  (dvs-builder@host)");
    assertThat(CudaCompatibility.oldDriver(module, device())).isEmpty();
  }

  @Test
  void aContainerWithoutAGpuIsNotToldOfItsHostsDriver() throws IOException {
    Path module = module(CLOSED + "535.104.05  Sat Aug 19 01:15:15 UTC 2023");
    assertThat(CudaCompatibility.oldDriver(module, folder.resolve("none"))).isEmpty();
  }

  @Test
  void noDriverAtAllIsNotCalledOld() throws IOException {
    assertThat(CudaCompatibility.oldDriver(folder.resolve("none"), device())).isEmpty();
  }

  @Test
  void aLibcudfOfAnotherCudaIsRefusedWithTheJarToTake() {
    assertThatCode(() -> CudaCompatibility.check(13020)).doesNotThrowAnyException();
    assertThatThrownBy(() -> CudaCompatibility.check(12090))
        .isInstanceOf(UnusableGpuException.class)
        .hasMessage(
            "the cudf on the class path is built with CUDA 12.9, but Mooring with CUDA 13; take the"
                + " jar of ai.rapids:cudf:%s with classifier cuda13",
            MooringVersion.cudf());
  }

  /** Loads libcudf itself, which needs no GPU. */
  @Test
  @Tag("forked")
  void theLibcudfOfTheBuildIsOfOurCuda() throws UnusableGpuException {
    NativeDepsLoader.loadNativeDeps();
    CudaCompatibility.check(Cuda.getRuntimeVersion());
  }
}
