package io.mooring.benchmarks.transfer;

import io.mooring.benchmarks.cli.ByteSize;
import io.mooring.benchmarks.cli.UserError;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/** The options of {@link TransferCommand} as the user gave them. */
final class TransferOptions {

  private static final List<String> SIZES = List.of("1m", "4m", "20m", "64m", "256m", "1g", "3g");
  private static final List<String> QUICK_SIZES = List.of("1m", "20m", "256m", "1g");
  private static final int ROUNDS = 10;
  private static final int QUICK_ROUNDS = 5;
  private static final int PAGE = 4096;

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
      names = "--rounds",
      paramLabel = "N",
      description = "Measured copies of each sort (default: 10; quick: 5).")
  Integer rounds;

  @Option(
      names = "--warmup",
      paramLabel = "N",
      defaultValue = "1",
      description = "Rounds before them that count in no figure (default: ${DEFAULT-VALUE}).")
  int warmup;

  @Option(
      names = "--device",
      paramLabel = "N",
      defaultValue = "0",
      description = "Index of the GPU (default: ${DEFAULT-VALUE}).")
  int device;

  @Option(names = "--quick", description = "Fewer and smaller copies: 1m,20m,256m,1g, 5 rounds.")
  boolean quick;

  @Option(
      names = "--seed",
      defaultValue = "42",
      description = "Seed of the copied data (default: ${DEFAULT-VALUE}).")
  long seed;

  /** Refuses what makes no sense, before anything is built or started. */
  void check() {
    if (rounds() < 1) {
      throw UserError.usage("--rounds must be 1 or more, not " + rounds);
    }
    if (warmup < 0) {
      throw UserError.usage("--warmup must be 0 or more, not " + warmup);
    }
    if (device < 0) {
      throw UserError.usage("--device must be 0 or more, not " + device);
    }
    for (ByteSize size : sizes()) {
      if (size.bytes() % PAGE != 0) {
        throw UserError.usage("--sizes must be multiples of 4 KiB, not " + size.text());
      }
    }
    kinds().stream().filter(kind -> !Transfers.KINDS.contains(kind)).forEach(this::refuse);
  }

  private void refuse(String kind) {
    throw UserError.usage("--memory has no '" + kind + "'; there are " + Transfers.KINDS);
  }

  int rounds() {
    return rounds != null ? rounds : quick ? QUICK_ROUNDS : ROUNDS;
  }

  List<String> kinds() {
    return kinds != null ? kinds.stream().distinct().toList() : Transfers.KINDS;
  }

  /** Ascending. */
  List<ByteSize> sizes() {
    Stream<ByteSize> all =
        sizes != null
            ? sizes.stream()
            : (quick ? QUICK_SIZES : SIZES).stream().map(ByteSize::parse);
    return all.distinct().sorted(Comparator.comparingLong(ByteSize::bytes)).toList();
  }
}
