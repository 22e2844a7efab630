package io.mooring.benchmarks.env;

import java.util.List;
import java.util.stream.Stream;

/**
 * One GPU as {@code nvidia-smi} describes it.
 *
 * @param name model
 * @param driver version of the driver
 * @param memoryMiB device memory in MiB, as printed
 * @param pcie generation and width of the link in use, for instance {@code 5 x16}
 */
public record Gpu(String name, String driver, String memoryMiB, String pcie) {

  private static final String FIELDS =
      "name,driver_version,memory.total,pcie.link.gen.current,pcie.link.width.current";

  /** The GPUs of this machine; none without {@code nvidia-smi}. */
  public static List<Gpu> list() {
    return Command.lines("nvidia-smi", "--query-gpu=" + FIELDS, "--format=csv,noheader,nounits")
        .stream()
        .flatMap(Gpu::parse)
        .toList();
  }

  private static Stream<Gpu> parse(String line) {
    String[] cells = line.split("\\s*,\\s*", -1);
    return cells.length == 5
        ? Stream.of(new Gpu(cells[0], cells[1], cells[2], cells[3] + " x" + cells[4]))
        : Stream.empty();
  }
}
