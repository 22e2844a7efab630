package io.mooring.benchmarks.p2p;

import com.fasterxml.jackson.databind.JsonNode;
import io.mooring.benchmarks.cli.UserError;
import io.mooring.benchmarks.device.Device;
import io.mooring.benchmarks.device.DeviceMeasurement;
import io.mooring.benchmarks.device.DeviceSession;
import io.mooring.benchmarks.measure.MeasuringCommand;
import io.mooring.benchmarks.report.Check;
import io.mooring.benchmarks.report.Summary;
import io.mooring.benchmarks.report.table.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code ./benchmarks/run p2p}: copies between GPUs, and exchanges between neighbours. */
@Command(
    name = "p2p",
    description =
        "Times verified copies between GPUs, with and without peer access: single pairs, several at"
            + " once, exchanges between neighbours, and a halo exchange beside computation.",
    footer = "Exits 0 when every copy was made and right, or there are not two GPUs; else 1.")
public final class PeerCommand extends MeasuringCommand {

  @Mixin private PeerOptions options;

  @Override
  public Integer call() {
    options.check();
    return DeviceMeasurement.call(name(), arguments(), prepareFolder(), new PeerWork(options));
  }

  /** The measurements of {@code p2p}, their checks and tables. */
  static final class PeerWork implements DeviceMeasurement.Work {

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
        session
            .recording()
            .note("no GPU has access to another's memory: all goes through the host");
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
              .orElseGet(
                  () -> Check.skipped(CHECK, ">=", SHARE, skipped.orElse("no peer access"))));
    }

    @Override
    public String text(Summary summary) {
      return summary.cells().isEmpty()
          ? ""
          : PeerLink.matrix(links).text("Peer access (a: with atomics; rank: lower is better)")
              + new PeerFigures(summary, gpus)
                  .halos()
                  .text(
                      "Halo exchange, seconds of all steps; ideal: the longer of compute and"
                          + " exchange alone");
    }
  }

  /**
   * The access of one GPU to the memory of another.
   *
   * @param from index of the one
   * @param to index of the other
   * @param access whether it reaches the memory without the host
   * @param atomics whether atomic operations work over the link
   * @param rank the driver's relative performance of the link: lower is better
   */
  record PeerLink(int from, int to, boolean access, boolean atomics, int rank) {

    /** All ordered pairs of this machine's GPUs. */
    static List<PeerLink> list(DeviceSession session) {
      List<PeerLink> all = new ArrayList<>();
      JsonNode line = session.ask("p2p links");
      while (!line.has("end")) {
        all.add(
            new PeerLink(
                line.get("from").intValue(),
                line.get("to").intValue(),
                line.get("access").booleanValue(),
                line.get("atomics").booleanValue(),
                line.get("rank").intValue()));
        line = session.answer();
      }
      return List.copyOf(all);
    }

    /** A table of peer access: a row for each GPU, a column for each other. */
    static Table matrix(List<PeerLink> links) {
      int gpus = links.stream().mapToInt(PeerLink::from).max().orElse(0) + 1;
      List<String> headings = new ArrayList<>(List.of("from \\ to"));
      IntStream.range(0, gpus).forEach(to -> headings.add("GPU " + to));
      List<List<String>> rows = new ArrayList<>();
      for (int from = 0; from < gpus; from++) {
        List<String> row = new ArrayList<>(List.of("GPU " + from));
        for (int to = 0; to < gpus; to++) {
          row.add(cell(links, from, to));
        }
        rows.add(row);
      }
      return new Table(headings, rows);
    }

    private static String cell(List<PeerLink> links, int from, int to) {
      return links.stream()
          .filter(link -> link.from == from && link.to == to)
          .map(
              link -> (link.access ? link.atomics ? "yes a" : "yes" : "no") + ", rank " + link.rank)
          .findFirst()
          .orElse("-");
    }
  }
}
