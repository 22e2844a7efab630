package io.mooring.benchmarks.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mooring.benchmarks.cli.ByteSize;
import io.mooring.benchmarks.env.PcieLink;
import io.mooring.benchmarks.report.Check;
import io.mooring.benchmarks.report.Run;
import io.mooring.benchmarks.report.Summary;
import io.mooring.benchmarks.transfer.TransferCommand.MemoryNeeds;
import io.mooring.benchmarks.transfer.TransferTables.PublishedFigure;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class TransferTest {

  private static final long GIB = 1L << 30;

  private final List<Run> runs = new ArrayList<>();
  private final List<ByteSize> sizes = sizes("1m", "64m", "1g");

  private static List<ByteSize> sizes(String... texts) {
    return Stream.of(texts).map(ByteSize::parse).toList();
  }

  private void copy(String way, String size, String arm, double gigabytesPerSecond) {
    long bytes = ByteSize.parse(size).bytes();
    double seconds = bytes / (gigabytesPerSecond * 1e9);
    String query = Transfers.query(way, ByteSize.parse(size));
    runs.add(new Run(query, arm, 1, 1, 1, false, "gpu", seconds, bytes, 0, "", Map.of()));
  }

  private Summary summary() {
    return Summary.of(runs, List.of(Transfers.PLAIN_LOOP));
  }

  private List<Check> checks(Optional<String> skipped) {
    return new TransferChecks(summary(), sizes, Transfers.KINDS, skipped).all();
  }

  @Test
  void theWorstOfTheLargeCopiesIsHeldAgainstThePlainLoop() {
    for (String size : List.of("1m", "64m", "1g")) {
      for (String way : List.of("H2D", "D2H")) {
        copy(way, size, Transfers.PLAIN_LOOP, 50);
        copy(way, size, Transfers.HOST_ALLOC, size.equals("1m") ? 10 : 49.5);
        copy(way, size, Transfers.MOORING, way.equals("D2H") && size.equals("64m") ? 45 : 50);
      }
    }
    List<Check> checks = checks(Optional.empty());
    assertThat(checks).extracting(Check::verdict).containsExactly("holds", "skipped", "fails");
    assertThat(checks.get(0).value()).isEqualTo(0.99, within(1e-6));
    assertThat(checks.get(2).value()).isEqualTo(0.9, within(1e-6));
  }

  @Test
  void withoutCopiesNothingIsJudged() {
    assertThat(checks(Optional.of("no GPU")))
        .hasSize(3)
        .allSatisfy(check -> assertThat(check.reason()).isEqualTo("no GPU"))
        .extracting(Check::verdict)
        .containsOnly("skipped");
  }

  @Test
  void theTablesHoldMeasuredRatesUnderTheLimitOfTheLink() {
    copy("H2D", "64m", Transfers.HOST_ALLOC, 29.224);
    copy("H2D", "64m", Transfers.PAGEABLE, 7);
    PcieLink link = new PcieLink(16, 16);
    DeviceLink found = new DeviceLink(Optional.of(link), Optional.empty(), "sysfs");
    String text = new TransferTables(summary(), sizes, Optional.of(found)).text();
    assertThat(text).contains("Gen4 x16 (16 GT/s): theoretical 31.51 GB/s each way");
    assertThat(
            text.lines().filter(line -> line.strip().startsWith("64m")).findFirst().orElseThrow())
        .contains("29.22", "7.00", "100.0 %");
    assertThat(text).doesNotContain("A100").doesNotContain("null");
  }

  @Test
  void sizesThatDoNotFitAreLeftOut() {
    List<ByteSize> wanted = sizes("1m", "1g", "3g");
    List<String> kinds = List.of(Transfers.HOST_ALLOC, Transfers.PAGEABLE);
    assertThat(MemoryNeeds.host(GIB, kinds)).isEqualTo(4 * GIB);
    assertThat(MemoryNeeds.fitting(wanted, kinds, 24 * GIB, 80 * GIB)).isEqualTo(wanted);
    assertThat(MemoryNeeds.fitting(wanted, kinds, 23 * GIB, 80 * GIB)).hasSize(2);
    assertThat(MemoryNeeds.fitting(wanted, kinds, 100 * GIB, 7 * GIB)).hasSize(2);
    assertThat(MemoryNeeds.host(GIB, List.of(Transfers.MOORING)))
        .as("the plain loop's own memory, and what two pools cannot hand out")
        .isEqualTo(6 * GIB);
  }

  @Test
  void everyPublishedFigureIsANumberWithItsSource() {
    List<PublishedFigure> all = PublishedFigure.all();
    assertThat(all).isNotEmpty();
    assertThat(all)
        .allSatisfy(
            figure -> {
              assertThat(Double.parseDouble(figure.gigabytesPerSecond())).isPositive();
              assertThat(figure.source()).contains(".com/");
              assertThat(figure.way()).isIn(Transfers.WAYS);
            });
    assertThat(PublishedFigure.text(all)).contains("not measured here");
  }

  @Test
  void aLinkThatRunsBelowItsBestIsNamed() {
    DeviceLink slow =
        new DeviceLink(
            Optional.of(new PcieLink(2.5, 16)), Optional.of(new PcieLink(32, 16)), "sysfs");
    assertThat(slow.remarks())
        .containsExactly(
            "the link runs as Gen1 x16 (2.5 GT/s), but the GPU can do Gen5 x16 (32 GT/s)");
    assertThat(DeviceLink.parse("5 x16")).contains(new PcieLink(32, 16));
    assertThat(DeviceLink.parse("[N/A] x[N/A]")).isEmpty();
    assertThat(new DeviceLink(Optional.empty(), Optional.empty(), "nobody").remarks()).hasSize(1);
  }
}
