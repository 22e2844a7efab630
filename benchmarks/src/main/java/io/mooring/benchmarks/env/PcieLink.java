package io.mooring.benchmarks.env;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A PCI Express link, and what it can carry in one direction.
 *
 * @param gigatransfers per second and lane
 * @param width lanes
 */
public record PcieLink(double gigatransfers, int width) {

  /** The folder in which Linux lists the devices of the PCI bus. */
  public static final Path SYSFS = Path.of("/sys/bus/pci/devices");

  /** Largest payload of a packet where the link does not say: what servers commonly negotiate. */
  public static final int COMMON_PAYLOAD = 256;

  /**
   * Bytes around the payload of a packet of 8 GT/s and more: 4 framing (STP), 4 LCRC, and a header
   * of 12 (completions, which bring what the device reads) or 16 bytes (writes with 64-bit
   * addresses).
   */
  private static final int COMPLETION_OVERHEAD = 20;

  private static final int WRITE_OVERHEAD = 24;

  private static final Pattern SPEED = Pattern.compile("([0-9.]+) GT/s.*");
  private static final Pattern WIDTH = Pattern.compile("x?([0-9]+)");

  /** The link in use, which idle devices may slow down; empty where sysfs does not tell. */
  public static Optional<PcieLink> current(Path devices, String address) {
    return read(devices.resolve(address), "current");
  }

  /** The fastest link that the device can have. */
  public static Optional<PcieLink> fastest(Path devices, String address) {
    return read(devices.resolve(address), "max");
  }

  private static Optional<PcieLink> read(Path device, String which) {
    Optional<Matcher> speed = match(device.resolve(which + "_link_speed"), SPEED);
    Optional<Matcher> width = match(device.resolve(which + "_link_width"), WIDTH);
    if (speed.isEmpty() || width.isEmpty()) {
      return Optional.empty();
    }
    int lanes = Integer.parseInt(width.get().group(1));
    // 255 lanes stand for a link that is not known.
    return lanes == 0 || lanes > 32
        ? Optional.empty()
        : Optional.of(new PcieLink(Double.parseDouble(speed.get().group(1)), lanes));
  }

  private static Optional<Matcher> match(Path file, Pattern pattern) {
    try {
      return Optional.of(pattern.matcher(Files.readString(file).strip())).filter(Matcher::matches);
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** The link of a generation from 1 to 6, for instance as {@code nvidia-smi} tells it. */
  public static Optional<PcieLink> of(int generation, int width) {
    boolean known = generation >= 1 && generation <= 6 && width >= 1;
    double speed = generation == 1 ? 2.5 : generation == 2 ? 5 : 8 << Math.max(0, generation - 3);
    return known ? Optional.of(new PcieLink(speed, width)) : Optional.empty();
  }

  /** The PCIe generation, from 1; 6 also stands for anything faster. */
  public int generation() {
    if (gigatransfers <= 5) {
      return gigatransfers <= 2.5 ? 1 : 2;
    }
    return gigatransfers <= 8 ? 3 : gigatransfers <= 16 ? 4 : gigatransfers <= 32 ? 5 : 6;
  }

  /**
   * Bytes per second in one direction after the line code: 8 of 10 bits up to generation 2, 128 of
   * 130 up to 5, and 236 of the 256 bytes of a flit from 6 on (PCI Express Base Specification 6.0,
   * sections 4.2 and 4.2.3).
   */
  public double theoretical() {
    int generation = generation();
    double code = generation <= 2 ? 0.8 : generation <= 5 ? 128.0 / 130 : 236.0 / 256;
    return gigatransfers * 1e9 / 8 * width * code;
  }

  /**
   * Bytes per second of payload to the device: it reads host memory, which arrives in completions.
   * The rate is {@code theoretical * payload / (payload + overhead)}, where every packet is full
   * (PCI Express Base Specification, sections 2.2 and 4.2.2.1; worked through in Xilinx WP350,
   * "Understanding Performance of PCI Express Systems"). Acknowledgements and flow control, another
   * 1 to 2 %, are left out.
   */
  public double framingLimitedToDevice(int payload) {
    return theoretical() * payload / (payload + COMPLETION_OVERHEAD);
  }

  /** Bytes per second of payload from the device, which writes with 64-bit addresses. */
  public double framingLimitedFromDevice(int payload) {
    return theoretical() * payload / (payload + WRITE_OVERHEAD);
  }

  /** The link in words, for instance {@code Gen5 x16 (32 GT/s)}. */
  public String text() {
    String speed =
        gigatransfers == Math.rint(gigatransfers)
            ? Long.toString(Math.round(gigatransfers))
            : Double.toString(gigatransfers);
    return "Gen" + generation() + " x" + width + " (" + speed + " GT/s)";
  }
}
