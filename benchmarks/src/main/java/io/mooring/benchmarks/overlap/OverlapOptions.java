package io.mooring.benchmarks.overlap;

import io.mooring.benchmarks.cli.ByteSize;
import io.mooring.benchmarks.cli.Limits;
import io.mooring.benchmarks.cli.UserError;
import io.mooring.benchmarks.device.RoundOptions;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of {@link OverlapCommand} as the user gave them. */
final class OverlapOptions {

  private static final List<String> LOADS = List.of("work", "delay");
  private static final int MOST_STAGING_THREADS = 12;

  @Option(
      names = "--size",
      paramLabel = "SIZE",
      converter = ByteSize.Converter.class,
      description = "Data that is copied and worked on (default: 4g; quick: 1g).")
  ByteSize size;

  @Option(
      names = "--chunk",
      paramLabel = "SIZE",
      converter = ByteSize.Converter.class,
      description = "Length of each copy (default: 4m).")
  ByteSize chunk;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "Threads that stage in the pipeline (default: the cores but two, 12 at most).")
  Integer threads;

  @Option(
      names = "--load",
      paramLabel = "KIND",
      defaultValue = "work",
      description =
          "What the device does with each chunk: work, a kernel that reads and writes all of it, or"
              + " delay, a kernel that waits (default: ${DEFAULT-VALUE}).")
  String load;

  @Option(
      names = "--device",
      paramLabel = "N",
      defaultValue = "0",
      description = "Index of the GPU (default: ${DEFAULT-VALUE}).")
  int device;

  @Mixin RoundOptions common;

  /** Refuses what makes no sense, before anything is built or started. */
  void check() {
    common.check();
    Limits.atLeast("--device", 0, device);
    Limits.atLeast("--threads", 1, threads());
    if (!LOADS.contains(load)) {
      throw UserError.usage("--load has no '" + load + "'; there are " + LOADS);
    }
    Limits.multipleOfPage("--chunk", chunk());
    if (size().bytes() % chunk().bytes() != 0) {
      throw UserError.usage("--size must be a multiple of --chunk");
    }
  }

  ByteSize size() {
    return size != null ? size : ByteSize.parse(common.quick() ? "1g" : "4g");
  }

  ByteSize chunk() {
    return chunk != null ? chunk : ByteSize.parse("4m");
  }

  int rounds() {
    return common.rounds(7, 3);
  }

  /**
   * Threads that stage. By default one core is left to the thread that feeds the device and one to
   * the system; 12 threads at most.
   */
  int threads() {
    int spare = Runtime.getRuntime().availableProcessors() - 2;
    return threads != null ? threads : Math.max(1, Math.min(MOST_STAGING_THREADS, spare));
  }
}
