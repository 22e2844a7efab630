package io.mooring.gpu;

import io.mooring.conf.MooringVersion;
import io.mooring.jni.PoolJni;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Checks the driver and libcudf against the CUDA that our native libraries are linked with. A
 * program of one major version of CUDA runs on the drivers of that version and newer ones (NVIDIA,
 * "CUDA Compatibility", minor version compatibility).
 */
final class CudaCompatibility {
  private static final int CUDA = 13;
  private static final int LEAST_DRIVER = 580;
  private static final Path MODULE = Path.of("/proc/driver/nvidia/version");
  private static final Pattern DRIVER =
      Pattern.compile("Kernel Module\\b.*?\\s((\\d+)(?:\\.\\d+)+)\\s");

  private CudaCompatibility() {}

  /** Why CUDA finds no device. */
  static String whyNone() {
    // CUDA takes a driver that is not there for an old one.
    return Files.exists(MODULE) ? String.valueOf(PoolJni.deviceProblem()) : "no NVIDIA driver";
  }

  /** Checks this machine by {@link #oldDriver(Path, Path)}. */
  static Optional<String> oldDriver() {
    return oldDriver(MODULE, Path.of("/dev/nvidiactl"));
  }

  /**
   * Why the driver is too old, with both versions; empty where it is not, and where this process
   * has no driver.
   *
   * @param module the kernel module's version file, which containers without a GPU have too
   * @param device a device file that a container has only with a GPU
   */
  static Optional<String> oldDriver(Path module, Path device) {
    if (!Files.exists(device)) {
      return Optional.empty();
    }
    try {
      Matcher found = DRIVER.matcher(Files.readString(module));
      if (!found.find() || Integer.parseInt(found.group(2)) >= LEAST_DRIVER) {
        return Optional.empty();
      }
      return Optional.of(
          String.format(
              "the NVIDIA driver %s is too old for CUDA %d, which cudf %s and Mooring are built"
                  + " with: update it to %d or newer",
              found.group(1), CUDA, MooringVersion.cudf(), LEAST_DRIVER));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /**
   * Passes when libcudf is built with our CUDA.
   *
   * @param version as CUDA counts them: 13020 is 13.2
   * @throws UnusableGpuException naming both versions, and the jar to take
   */
  static void check(int version) throws UnusableGpuException {
    if (version / 1000 != CUDA) {
      throw new UnusableGpuException(
          String.format(
              "the cudf on the class path is built with CUDA %d.%d, but Mooring with CUDA %d; take"
                  + " the jar of ai.rapids:cudf:%s with classifier cuda%d",
              version / 1000, version % 1000 / 10, CUDA, MooringVersion.cudf(), CUDA));
    }
  }
}
