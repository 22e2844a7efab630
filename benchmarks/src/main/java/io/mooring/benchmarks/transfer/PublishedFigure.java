package io.mooring.benchmarks.transfer;

import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.NamedCsvRecord;
import io.mooring.benchmarks.report.table.Table;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

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
    String gpu, String size, String memory, String way, String gigabytesPerSecond, String source) {

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
