package io.mooring.benchmarks.transfer;

import com.sun.management.OperatingSystemMXBean;
import io.mooring.benchmarks.cli.ByteSize;
import io.mooring.benchmarks.cli.UserError;
import io.mooring.benchmarks.device.Device;
import io.mooring.benchmarks.device.DeviceMeasurement;
import io.mooring.benchmarks.device.DeviceSession;
import io.mooring.benchmarks.env.PcieLink;
import io.mooring.benchmarks.measure.MeasuringCommand;
import io.mooring.benchmarks.report.Check;
import io.mooring.benchmarks.report.Summary;
import io.mooring.benchmarks.transfer.TransferTables.PublishedFigure;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code ./benchmarks/run transfer}: bandwidth between host memory of several kinds and a GPU. */
@Command(
    name = "transfer",
    description =
        "Times verified copies between a GPU and pageable, pinned and write-combined memory,"
            + " beside what the PCIe link can carry.",
    footer = "Exits 0 when every copy was made and right, or there is no GPU; else 1.")
public final class TransferCommand extends MeasuringCommand {

  @Mixin private TransferOptions options;

  @Override
  public Integer call() {
    options.check();
    return DeviceMeasurement.call(name(), arguments(), prepareFolder(), new TransferWork(options));
  }

  /** The measurements of {@code transfer}, their checks and tables. */
  private static final class TransferWork implements DeviceMeasurement.Work {

    private final TransferOptions options;
    private final List<PublishedFigure> published = PublishedFigure.all();
    // Read by the thread that writes the report of an interrupted run.
    private volatile Optional<DeviceLink> link = Optional.empty();
    private List<ByteSize> measured = List.of();

    TransferWork(TransferOptions options) {
      this.options = options;
    }

    @Override
    public Map<String, Object> configuration() {
      Map<String, Object> all = new LinkedHashMap<>();
      all.put("sizes", options.sizes().stream().map(ByteSize::text).toList());
      all.put("memory", options.kinds());
      all.put("rounds", options.rounds());
      all.put("warmup", options.common.warmup());
      all.put("device", options.device);
      all.put("seed", options.common.seed());
      link.ifPresent(found -> all.put("link", found.facts()));
      all.put("publishedElsewhere", published);
      return all;
    }

    @Override
    public List<String> bases() {
      return List.of(Transfers.PLAIN_LOOP, Transfers.PAGEABLE);
    }

    @Override
    public int rows(List<Device> devices) {
      return plan(devices).rows();
    }

    private Transfers plan(List<Device> devices) {
      if (options.device >= devices.size()) {
        throw UserError.usage(
            "--device " + options.device + " is not there; GPUs found: " + devices.size());
      }
      long device = devices.get(options.device).memoryBytes();
      List<ByteSize> fitting =
          MemoryNeeds.fitting(options.sizes(), options.kinds(), hostMemory(), device);
      if (fitting.isEmpty()) {
        throw UserError.failure("no size fits into half of the memory; choose smaller --sizes");
      }
      return new Transfers(options.kinds(), fitting, options);
    }

    private static long hostMemory() {
      return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize();
    }

    @Override
    public void run(DeviceSession session) {
      Transfers plan = plan(session.devices());
      measured = plan.sizes();
      List<ByteSize> left = options.sizes().stream().filter(s -> !measured.contains(s)).toList();
      if (!left.isEmpty()) {
        session.recording().note("left out, because the buffers of all kinds do not fit: " + left);
      }
      // Behind copies, because an idle link is slower, and before the measured ones, which may be
      // interrupted.
      plan.run(session, () -> probe(session));
      probe(session);
      link.ifPresent(found -> found.remarks().forEach(session.recording()::note));
    }

    private void probe(DeviceSession session) {
      link = Optional.of(DeviceLink.probe(PcieLink.SYSFS, session.devices().get(options.device)));
    }

    @Override
    public List<Check> checks(Summary summary, Optional<String> skipped) {
      return new TransferChecks(summary, measured, options.kinds(), skipped).all();
    }

    @Override
    public String text(Summary summary) {
      return summary.cells().isEmpty()
          ? ""
          : new TransferTables(summary, measured, link).text() + PublishedFigure.text(published);
    }
  }

  /** The sizes that can be measured with all buffers allocated at once. */
  static final class MemoryNeeds {

    /**
     * Bytes that the pool's first extents cannot hold of a long copy, for each of its two pools.
     */
    private static final long POOL_SLACK = 1L << 30;

    private MemoryNeeds() {}

    /** Bytes of host memory for copies of this size: two buffers of each kind. */
    static long host(long size, List<String> kinds) {
      int blocks = 2 * kinds.size() + (kinds.contains(Transfers.HOST_ALLOC) ? 0 : 2);
      return blocks * size + (kinds.contains(Transfers.MOORING) ? 2 * POOL_SLACK : 0);
    }

    /**
     * The sizes that fit, ascending.
     *
     * @param hostBytes memory of the machine, of which half may be taken
     * @param deviceBytes memory of the device, of which three quarters may be taken
     */
    static List<ByteSize> fitting(
        List<ByteSize> sizes, List<String> kinds, long hostBytes, long deviceBytes) {
      return sizes.stream()
          .filter(size -> host(size.bytes(), kinds) <= hostBytes / 2)
          .filter(size -> 2 * size.bytes() <= deviceBytes / 4 * 3)
          .toList();
    }
  }
}
