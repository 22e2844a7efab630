package io.mooring.benchmarks.numa;

import io.mooring.benchmarks.cli.ByteSize;
import io.mooring.benchmarks.cli.Limits;
import io.mooring.benchmarks.device.Device;
import io.mooring.benchmarks.device.DeviceMeasurement;
import io.mooring.benchmarks.device.DeviceSession;
import io.mooring.benchmarks.device.DeviceSession.Row;
import io.mooring.benchmarks.device.RoundOptions;
import io.mooring.benchmarks.env.NumaNodes;
import io.mooring.benchmarks.measure.MeasuringCommand;
import io.mooring.benchmarks.report.Check;
import io.mooring.benchmarks.report.Summary;
import io.mooring.benchmarks.report.table.Table;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ./benchmarks/run numa}: what it costs when memory lies on another node than the GPU. */
@Command(
    name = "numa",
    description =
        "Times verified copies between each NUMA node's memory and each GPU, alone and with all"
            + " GPUs at once.",
    footer = "Exits 0 when every copy was made and right, or there is one node or no GPU; else 1.")
public final class NumaCommand extends MeasuringCommand {

  @Option(
      names = "--size",
      paramLabel = "SIZE",
      converter = ByteSize.Converter.class,
      defaultValue = "256m",
      description = "Bytes of each copy, a multiple of 4 KiB (default: ${DEFAULT-VALUE}).")
  private ByteSize size;

  @Option(
      names = "--copies",
      paramLabel = "N",
      defaultValue = "16",
      description = "Copies one after the other in each sample (default: ${DEFAULT-VALUE}).")
  private int copies;

  @Option(
      names = "--one-node-too",
      description = "Measure also where there is one node: its memory to all GPUs at once.")
  private boolean oneNodeToo;

  @Mixin private RoundOptions common;

  @Override
  public Integer call() {
    common.check();
    Limits.atLeast("--copies", 1, copies);
    Limits.multipleOfPage("--size", size);
    NumaPlan plan =
        new NumaPlan(
            NumaNodes.withMemory(NumaNodes.SYSFS),
            oneNodeToo,
            size,
            copies,
            common.rounds(10, 3),
            common.warmup(),
            common.seed());
    return DeviceMeasurement.call(name(), arguments(), prepareFolder(), new NumaWork(plan));
  }

  /** The measurements of {@code numa}, their checks and table. */
  static final class NumaWork implements DeviceMeasurement.Work {

    /** Noted on most machines. */
    static final String ONE_NODE =
        "This machine has one NUMA node: all memory is equally far from every GPU, nothing to"
            + " measure";

    private static final int THREADS = Math.min(32, Runtime.getRuntime().availableProcessors());

    private final NumaPlan plan;

    NumaWork(NumaPlan plan) {
      this.plan = plan;
    }

    @Override
    public Map<String, Object> configuration() {
      Map<String, Object> all = new LinkedHashMap<>();
      all.put("nodes", plan.nodes());
      all.put("size", plan.size().text());
      all.put("copies", plan.copies());
      all.put("rounds", plan.rounds());
      all.put("warmup", plan.warmup());
      all.put("seed", plan.seed());
      return all;
    }

    @Override
    public List<String> bases() {
      return List.of(NumaPlan.OWN, "node " + plan.nodes().get(0));
    }

    @Override
    public Optional<String> pointless() {
      boolean one = plan.nodes().size() == 1 && !plan.oneNodeToo();
      return one ? Optional.of(ONE_NODE) : Optional.empty();
    }

    @Override
    public int rows(List<Device> devices) {
      int each = NumaPlan.WAYS.size() * plan.placings(devices).size();
      return (plan.rounds() + plan.warmup()) * each;
    }

    @Override
    public void run(DeviceSession session) {
      session.ask("numa setup %d %d".formatted(plan.size().bytes(), THREADS));
      rounds(session, plan.warmup(), true);
      rounds(session, plan.rounds(), false);
    }

    private void rounds(DeviceSession session, int count, boolean warmUp) {
      List<NumaPlan.Placing> order = new ArrayList<>(plan.placings(session.devices()));
      for (int round = 1; round <= count; round++) {
        for (String way : NumaPlan.WAYS) {
          for (NumaPlan.Placing placing : order) {
            measure(session, way, placing, round, warmUp);
          }
        }
        Collections.rotate(order, 1); // no node is always the first
      }
    }

    private void measure(
        DeviceSession session, String way, NumaPlan.Placing what, int round, boolean warmUp) {
      long bytes = plan.size().bytes() * plan.copies() * what.devices();
      String request =
          "numa run %s %d %d %s"
              .formatted(way, plan.copies(), plan.seed() + 1000L * round, what.where());
      Row row = new Row(way + " " + what.query(), what.arm(), what.devices(), round, warmUp, bytes);
      session.sample(row, request);
    }

    @Override
    public List<Check> checks(Summary summary, Optional<String> skipped) {
      return List.of();
    }

    @Override
    public String text(Summary summary) {
      List<List<String>> rows =
          summary.cells().stream()
              .map(
                  cell ->
                      List.of(
                          cell.query() + ", " + cell.arm(),
                          giga(cell.bytesPerSecond()),
                          giga(cell.bytesPerSecond() / cell.tasks())))
              .toList();
      return rows.isEmpty()
          ? ""
          : new Table(List.of("copies", "GB/s", "GB/s a GPU"), rows).text("NUMA");
    }

    private static String giga(double bytesPerSecond) {
      return String.format(Locale.ROOT, "%.2f", bytesPerSecond / 1e9);
    }
  }
}
