package io.mooring.benchmarks.transfer;

import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.NamedCsvRecord;
import io.mooring.benchmarks.cli.ByteSize;
import io.mooring.benchmarks.env.PcieLink;
import io.mooring.benchmarks.report.Summary;
import io.mooring.benchmarks.report.table.Table;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Rates by size and kind of memory, one table for each direction, under what the link can carry.
 *
 * @param sizes that were measured
 * @param link when it is known
 */
record TransferTables(Summary summary, List<ByteSize> sizes, Optional<DeviceLink> link) {

  String text() {
    StringBuilder text = new StringBuilder(link.map(TransferTables::limits).orElse(""));
    Transfers.WAYS.forEach(way -> text.append(table(way)));
    return text.toString();
  }

  private static String limits(DeviceLink link) {
    return link.current()
        .map(
            l ->
                String.format(
                    Locale.ROOT,
                    "%n%s: theoretical %s GB/s each way; with packets of %d bytes H2D %s, D2H %s%n",
                    l.text(),
                    giga(l.theoretical()),
                    PcieLink.COMMON_PAYLOAD,
                    giga(l.framingLimitedToDevice(PcieLink.COMMON_PAYLOAD)),
                    giga(l.framingLimitedFromDevice(PcieLink.COMMON_PAYLOAD))))
        .orElse("");
  }

  private String table(String way) {
    List<String> headings = new ArrayList<>(List.of("size"));
    headings.add(Transfers.PLAIN_LOOP);
    headings.addAll(Transfers.KINDS);
    headings.add("of the framing limit");
    List<List<String>> rows = new ArrayList<>();
    for (ByteSize size : sizes) {
      List<String> row = new ArrayList<>(List.of(size.text()));
      row.add(rate(way, size, Transfers.PLAIN_LOOP));
      Transfers.KINDS.forEach(kind -> row.add(rate(way, size, kind)));
      row.add(ofLimit(way, size));
      rows.add(row);
    }
    return new Table(headings, rows).text(way + ", GB/s: median ± standard deviation");
  }

  private String rate(String way, ByteSize size, String arm) {
    return summary
        .cell(Transfers.query(way, size), arm, 1)
        .map(cell -> giga(cell.bytesPerSecond()) + spread(cell))
        .orElse("-");
  }

  /** The standard deviation of the rate: its share is that of the seconds. */
  private static String spread(Summary.Cell cell) {
    Double sd = cell.seconds().sd();
    return sd == null ? "" : " ±" + giga(cell.bytesPerSecond() * sd / cell.seconds().mean());
  }

  /** The best rate of the size over what framing leaves of the link. */
  private String ofLimit(String way, ByteSize size) {
    Optional<PcieLink> found = link.flatMap(DeviceLink::current);
    Optional<Double> best =
        Transfers.KINDS.stream()
            .flatMap(kind -> summary.cell(Transfers.query(way, size), kind, 1).stream())
            .map(Summary.Cell::bytesPerSecond)
            .max(Double::compare);
    if (found.isEmpty() || best.isEmpty()) {
      return "-";
    }
    double up = found.get().framingLimitedToDevice(PcieLink.COMMON_PAYLOAD);
    double down = found.get().framingLimitedFromDevice(PcieLink.COMMON_PAYLOAD);
    double limit = way.equals("H2D") ? up : way.equals("D2H") ? down : up + down;
    return String.format(Locale.ROOT, "%.1f %%", 100 * best.get() / limit);
  }

  private static String giga(double bytesPerSecond) {
    return String.format(Locale.ROOT, "%.2f", bytesPerSecond / 1e9);
  }

  /**
   * A rate that somebody else measured on another machine: for comparison, never part of a figure.
   *
   * @param gpu and its link
   * @param size of the copy as published; may be empty
   * @param memory of the host
   * @param way H2D, D2H or both
   * @param gigabytesPerSecond as published, 10^9 bytes
   * @param source where
   */
  record PublishedFigure(
      String gpu,
      String size,
      String memory,
      String way,
      String gigabytesPerSecond,
      String source) {

    private static final String FILE = "published.csv";

    /** Everything that comes with the harness. */
    static List<PublishedFigure> all() {
      try (InputStream in = PublishedFigure.class.getResourceAsStream(FILE);
          CsvReader<NamedCsvRecord> csv =
              CsvReader.builder()
                  .ofNamedCsvRecord(new InputStreamReader(in, StandardCharsets.UTF_8))) {
        return csv.stream().map(PublishedFigure::of).toList();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private static PublishedFigure of(NamedCsvRecord line) {
      return new PublishedFigure(
          line.getField("gpu"),
          line.getField("size"),
          line.getField("memory"),
          line.getField("way"),
          line.getField("gb_per_s"),
          line.getField("source"));
    }

    /** The published figures as a table. */
    static String text(List<PublishedFigure> figures) {
      return new Table(
              List.of("GPU", "size", "memory", "way", "GB/s", "source"),
              figures.stream()
                  .map(f -> List.of(f.gpu, f.size, f.memory, f.way, f.gigabytesPerSecond, f.source))
                  .toList())
          .text("Published elsewhere, not measured here");
    }
  }
}
