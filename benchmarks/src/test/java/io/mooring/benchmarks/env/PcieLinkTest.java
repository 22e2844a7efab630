package io.mooring.benchmarks.env;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PcieLinkTest {

  private static final String ADDRESS = "0000:3b:00.0";

  @TempDir private Path sysfs;

  private void device(String which, String speed, String width) throws IOException {
    Path device = Files.createDirectories(sysfs.resolve(ADDRESS));
    Files.writeString(device.resolve(which + "_link_speed"), speed + "\n");
    Files.writeString(device.resolve(which + "_link_width"), width + "\n");
  }

  @Test
  void theLinkInUseAndTheFastestAreReadFromSysfs() throws IOException {
    device("current", "8.0 GT/s PCIe", "8");
    device("max", "32.0 GT/s PCIe", "16");
    assertThat(PcieLink.current(sysfs, ADDRESS)).contains(new PcieLink(8, 8));
    assertThat(PcieLink.fastest(sysfs, ADDRESS)).contains(new PcieLink(32, 16));
    assertThat(PcieLink.fastest(sysfs, ADDRESS).orElseThrow().text())
        .isEqualTo("Gen5 x16 (32 GT/s)");
  }

  @Test
  void whatSysfsDoesNotTellIsNoLink() throws IOException {
    assertThat(PcieLink.current(sysfs, ADDRESS)).as("no such device").isEmpty();
    device("current", "Unknown", "16");
    device("max", "16.0 GT/s PCIe", "255");
    assertThat(PcieLink.current(sysfs, ADDRESS)).isEmpty();
    assertThat(PcieLink.fastest(sysfs, ADDRESS)).isEmpty();
    device("current", "2.5 GT/s", "0");
    assertThat(PcieLink.current(sysfs, ADDRESS)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "2.5, 1, 4.0",
    "5, 2, 8.0",
    "8, 3, 15.754",
    "16, 4, 31.508",
    "32, 5, 63.015",
    "64, 6, 118.0"
  })
  void theTheoreticalRateFollowsFromGenerationAndLanes(
      double speed, int generation, double gigabytes) {
    PcieLink link = new PcieLink(speed, 16);
    assertThat(link.generation()).isEqualTo(generation);
    assertThat(link.theoretical() / 1e9).isEqualTo(gigabytes, within(0.001));
    assertThat(PcieLink.of(generation, 16)).contains(link);
    assertThat(new PcieLink(speed, 4).theoretical()).isEqualTo(link.theoretical() / 4, within(1.0));
  }

  @Test
  void headersTakeTheirShareOfEachPacket() {
    PcieLink link = new PcieLink(32, 16);
    double raw = link.theoretical();
    assertThat(link.framingLimitedToDevice(256)).isEqualTo(raw * 256 / 276, within(1.0));
    assertThat(link.framingLimitedFromDevice(256)).isEqualTo(raw * 256 / 280, within(1.0));
    assertThat(link.framingLimitedFromDevice(512))
        .isGreaterThan(link.framingLimitedFromDevice(256))
        .isLessThan(raw);
  }

  @Test
  void noGenerationIsMadeUp() {
    assertThat(PcieLink.of(0, 16)).isEmpty();
    assertThat(PcieLink.of(7, 16)).isEmpty();
    assertThat(PcieLink.of(4, 0)).isEmpty();
  }
}
