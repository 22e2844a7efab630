package io.mooring.benchmarks.overlap;

import io.mooring.benchmarks.cli.UserError;
import io.mooring.benchmarks.device.Device;
import io.mooring.benchmarks.device.DeviceMeasurement;
import io.mooring.benchmarks.device.DeviceSession;
import io.mooring.benchmarks.report.Check;
import io.mooring.benchmarks.report.Summary;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The measurements of {@code overlap}, their checks and their table. */
final class OverlapWork implements DeviceMeasurement.Work {

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
