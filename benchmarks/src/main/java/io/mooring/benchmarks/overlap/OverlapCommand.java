package io.mooring.benchmarks.overlap;

import io.mooring.benchmarks.cli.UserError;
import io.mooring.benchmarks.device.Device;
import io.mooring.benchmarks.device.DeviceMeasurement;
import io.mooring.benchmarks.device.DeviceSession;
import io.mooring.benchmarks.measure.MeasuringCommand;
import io.mooring.benchmarks.overlap.OverlapFigures.OverlapChecks;
import io.mooring.benchmarks.process.ProcessException;
import io.mooring.benchmarks.report.Check;
import io.mooring.benchmarks.report.Summary;
import io.mooring.benchmarks.stats.Sample;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.DoubleSupplier;
import java.util.stream.DoubleStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code ./benchmarks/run overlap}: what copying beside the computation is worth. */
@Command(
    name = "overlap",
    description =
        "Brings pageable data to a GPU and works on it: from pageable memory, through pinned memory"
            + " on the same thread, staged by another thread, and by several.",
    footer = "Exits 0 when every run was made and right, or there is no GPU; else 1.")
public final class OverlapCommand extends MeasuringCommand {

  @Mixin private OverlapOptions options;

  @Override
  public Integer call() {
    options.check();
    return DeviceMeasurement.call(name(), arguments(), prepareFolder(), new OverlapWork(options));
  }

  /** The measurements of {@code overlap}, their checks and their table. */
  private static final class OverlapWork implements DeviceMeasurement.Work {

    private final OverlapOptions options;
    private final Map<String, Long> amounts = new TreeMap<>();

    OverlapWork(OverlapOptions options) {
      this.options = options;
    }

    @Override
    public Map<String, Object> configuration() {
      Map<String, Object> all = new LinkedHashMap<>();
      all.put("size", options.size().text());
      all.put("chunk", options.chunk().text());
      all.put("threads", options.threads());
      all.put("load", options.load);
      all.put("rounds", options.rounds());
      all.put("warmup", options.common.warmup());
      all.put("device", options.device);
      all.put("seed", options.common.seed());
      all.put(options.load.equals("delay") ? "nanosecondsAChunk" : "roundsOfWork", amounts);
      return all;
    }

    @Override
    public List<String> bases() {
      return List.of(Overlaps.SAME_THREAD);
    }

    @Override
    public int rows(List<Device> devices) {
      if (options.device >= devices.size()) {
        throw UserError.usage(
            "--device " + options.device + " is not there; GPUs found: " + devices.size());
      }
      return Overlaps.rows(options);
    }

    @Override
    public void run(DeviceSession session) {
      session.ask(
          "overlap setup %d %d %d %d"
              .formatted(
                  options.device,
                  options.size().bytes(),
                  options.chunk().bytes(),
                  options.threads()));
      Map<Balance, Long> found = new Calibration(session, options).amounts();
      found.forEach((balance, amount) -> amounts.put(balance.text(), amount));
      new Overlaps(session, options, found).run();
    }

    @Override
    public List<Check> checks(Summary summary, Optional<String> skipped) {
      return new OverlapChecks(new OverlapFigures(summary), skipped).all();
    }

    @Override
    public String text(Summary summary) {
      return summary.cells().isEmpty() ? "" : new OverlapFigures(summary).text();
    }
  }

  /** Finds how much the device has to compute, so that it takes as long as it shall. */
  private record Calibration(DeviceSession session, OverlapOptions options) {

    private static final int REPETITIONS = 3;
    private static final int REFINEMENTS = 3;

    /** Some amount to begin with: rounds of work, or nanoseconds. */
    private static final long FIRST_ROUNDS = 100;

    private static final long FIRST_NANOS = 100_000;

    /** The amount for each balance. */
    Map<Balance, Long> amounts() {
      double staging = median(() -> seconds("overlap stage " + options.threads()));
      double copying = median(() -> seconds("overlap dma"));
      double none = median(() -> computing(0));
      Map<Balance, Long> all = new EnumMap<>(Balance.class);
      for (Balance balance : Balance.values()) {
        all.put(balance, amount(balance.target(staging, copying), none));
      }
      return all;
    }

    private long amount(double target, double none) {
      long amount = options.load.equals("delay") ? FIRST_NANOS : FIRST_ROUNDS;
      for (int i = 0; i < REFINEMENTS && amount > 0; i++) {
        long tried = amount;
        double seconds = median(() -> computing(tried));
        amount =
            Balance.amount(target, none, tried, seconds)
                .orElseThrow(
                    () ->
                        new ProcessException.Failed(
                            "overlap",
                            "the time to compute does not grow with the work; nothing to balance"));
      }
      return amount;
    }

    private double computing(long amount) {
      return seconds("overlap compute " + options.load + " " + amount);
    }

    private double seconds(String request) {
      return session.ask(request).get("seconds").doubleValue();
    }

    private static double median(DoubleSupplier measured) {
      return Sample.of(DoubleStream.generate(measured).limit(REPETITIONS).boxed().toList())
          .median();
    }
  }
}
