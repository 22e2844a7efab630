package io.mooring.benchmarks.transfer;

import io.mooring.benchmarks.cli.ByteSize;
import io.mooring.benchmarks.cli.Limits;
import io.mooring.benchmarks.cli.UserError;
import io.mooring.benchmarks.device.RoundOptions;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of {@link TransferCommand} as the user gave them. */
final class TransferOptions {

  private static final List<String> SIZES = List.of("1m", "4m", "20m", "64m", "256m", "1g", "3g");
  private static final List<String> QUICK_SIZES = List.of("1m", "20m", "256m", "1g");
  private static final int ROUNDS = 10;
  private static final int QUICK_ROUNDS = 5;

  @Option(
      names = "--sizes",
      split = ",",
      paramLabel = "SIZE",
      converter = ByteSize.Converter.class,
      description =
          "Bytes of each copy, multiples of 4 KiB (default: 1m,4m,20m,64m,256m,1g,3g, as far as"
              + " all buffers fit into half of the memory).")
  List<ByteSize> sizes;

  @Option(
      names = "--memory",
      split = ",",
      paramLabel = "KIND",
      description =
          "Kinds of host memory: pageable, cudaHostAlloc, registered, mooring, write-combined"
              + " (default: all).")
  List<String> kinds;

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
    sizes().forEach(size -> Limits.multipleOfPage("--sizes", size));
    kinds().stream().filter(kind -> !Transfers.KINDS.contains(kind)).forEach(this::refuse);
  }

  private void refuse(String kind) {
    throw UserError.usage("--memory has no '" + kind + "'; there are " + Transfers.KINDS);
  }

  int rounds() {
    return common.rounds(ROUNDS, QUICK_ROUNDS);
  }

  List<String> kinds() {
    return kinds != null ? kinds.stream().distinct().toList() : Transfers.KINDS;
  }

  /** The sizes, ascending. */
  List<ByteSize> sizes() {
    Stream<ByteSize> all =
        sizes != null
            ? sizes.stream()
            : (common.quick() ? QUICK_SIZES : SIZES).stream().map(ByteSize::parse);
    return all.distinct().sorted(Comparator.comparingLong(ByteSize::bytes)).toList();
  }
}
