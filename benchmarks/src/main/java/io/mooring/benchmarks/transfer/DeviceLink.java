package io.mooring.benchmarks.transfer;

import io.mooring.benchmarks.device.Device;
import io.mooring.benchmarks.env.Environment.Gpu;
import io.mooring.benchmarks.env.PcieLink;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The PCIe link of a GPU.
 *
 * @param current as it ran after the copies; empty when nobody tells
 * @param fastest that the GPU can have
 * @param source who told
 */
record DeviceLink(Optional<PcieLink> current, Optional<PcieLink> fastest, String source) {

  private static final Pattern NVIDIA_SMI = Pattern.compile("(\\d+) x(\\d+)");

  /** Reads the link from sysfs, else from {@code nvidia-smi}. */
  static DeviceLink probe(Path sysfs, Device device) {
    Optional<PcieLink> current = PcieLink.current(sysfs, device.address());
    Optional<PcieLink> fastest = PcieLink.fastest(sysfs, device.address());
    if (current.isPresent()) {
      return new DeviceLink(current, fastest, "sysfs");
    }
    List<Gpu> gpus = Gpu.list();
    Optional<PcieLink> told =
        device.index() < gpus.size()
            ? parse(gpus.get(device.index()).pcie())
            : Optional.<PcieLink>empty();
    return new DeviceLink(told, fastest, told.isPresent() ? "nvidia-smi" : "nobody");
  }

  /** A link as {@link Gpu#pcie} writes it, such as {@code 5 x16}. */
  static Optional<PcieLink> parse(String text) {
    Matcher parts = NVIDIA_SMI.matcher(text);
    return parts.matches()
        ? PcieLink.of(Integer.parseInt(parts.group(1)), Integer.parseInt(parts.group(2)))
        : Optional.empty();
  }

  /** Notes for the reader of the report. */
  List<String> remarks() {
    List<String> all = new ArrayList<>();
    if (current.isEmpty()) {
      all.add("the PCIe link is not known: neither sysfs nor nvidia-smi tells it");
    }
    if (current.isPresent() && fastest.isPresent() && isSlower(current.get(), fastest.get())) {
      all.add(
          "the link runs as %s, but the GPU can do %s"
              .formatted(current.get().text(), fastest.get().text()));
    }
    return all;
  }

  private static boolean isSlower(PcieLink a, PcieLink b) {
    return a.theoretical() < b.theoretical();
  }

  /** The link for the report; rates in bytes per second. */
  Map<String, Object> facts() {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("source", source);
    fastest.ifPresent(link -> all.put("fastest", link.text()));
    current.ifPresent(
        link -> {
          int payload = PcieLink.COMMON_PAYLOAD;
          all.put("current", link.text());
          all.put("theoretical", Math.round(link.theoretical()));
          all.put("assumedPayload", payload);
          all.put("framingLimitedH2D", Math.round(link.framingLimitedToDevice(payload)));
          all.put("framingLimitedD2H", Math.round(link.framingLimitedFromDevice(payload)));
        });
    return all;
  }
}
