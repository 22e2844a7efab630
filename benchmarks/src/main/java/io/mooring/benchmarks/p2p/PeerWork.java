package io.mooring.benchmarks.p2p;

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

/** The measurements of {@code p2p}, their checks and tables. */
final class PeerWork implements DeviceMeasurement.Work {

  /** Noted on machines with one GPU. */
  static final String ONE_GPU =
      "There is one GPU, or --gpus 1: nobody to send to, nothing to measure";

  private static final double SHARE = 0.9;
  private static final String CHECK =
      "ring, both ways at once: rate / (GPUs x rate of one pair, one way)";

  private final PeerOptions options;
  private List<PeerLink> links = List.of();
  private int gpus;

  PeerWork(PeerOptions options) {
    this.options = options;
  }

  @Override
  public Map<String, Object> configuration() {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("size", options.size().text());
    all.put("gpus", gpus);
    all.put("haloRow", options.haloRow.text());
    all.put("haloRows", options.haloRows);
    all.put("haloSteps", options.haloSteps);
    all.put("rounds", options.rounds());
    all.put("warmup", options.common.warmup());
    all.put("seed", options.common.seed());
    all.put("peerAccess", links);
    return all;
  }

  @Override
  public List<String> bases() {
    return List.of(PeerRuns.HOST);
  }

  @Override
  public Optional<String> pointless(List<Device> devices) {
    if (options.gpus != null && options.gpus > devices.size()) {
      throw UserError.usage("--gpus " + options.gpus + ", but there are " + devices.size());
    }
    gpus = options.gpus != null ? options.gpus : devices.size();
    return gpus < 2 ? Optional.of(ONE_GPU) : Optional.empty();
  }

  private PeerPlan plan() {
    return new PeerPlan(gpus, options.size().bytes());
  }

  @Override
  public int rows(List<Device> devices) {
    return PeerRuns.rows(options, plan(), 2);
  }

  @Override
  public void run(DeviceSession session) {
    links = PeerLink.list(session);
    boolean some = links.stream().anyMatch(l -> l.access() && l.from() < gpus && l.to() < gpus);
    if (!some) {
      session.recording().note("no GPU has access to another's memory: all goes through the host");
    }
    List<String> arms = some ? List.of(PeerRuns.HOST, PeerRuns.PEER) : List.of(PeerRuns.HOST);
    new PeerRuns(session, options, plan(), arms).run();
  }

  @Override
  public List<Check> checks(Summary summary, Optional<String> skipped) {
    return List.of(
        new PeerFigures(summary, gpus)
            .exchangeShare()
            .filter(share -> skipped.isEmpty())
            .map(share -> Check.atLeast(CHECK, share, SHARE))
            .orElseGet(() -> Check.skipped(CHECK, ">=", SHARE, skipped.orElse("no peer access"))));
  }

  @Override
  public String text(Summary summary) {
    return summary.cells().isEmpty()
        ? ""
        : PeerLink.matrix(links).text("Peer access (a: with atomics; rank: lower is better)")
            + new PeerFigures(summary, gpus)
                .halos()
                .text(
                    "Halo exchange, seconds of all steps; ideal: the longer of compute and exchange"
                        + " alone");
  }
}
