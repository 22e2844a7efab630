package io.mooring.benchmarks.program;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A table for the console, its first column to the left and the others to the right.
 *
 * @param title printed above
 * @param headings of the columns
 * @param rows as many cells each
 */
public record TextTable(String title, List<String> headings, List<List<String>> rows) {

  /** An empty line, the title, the headings and the rows. */
  public String text() {
    int[] widths =
        IntStream.range(0, headings.size())
            .map(c -> lines().mapToInt(row -> row.get(c).length()).max().orElse(0))
            .toArray();
    return "\n"
        + title
        + "\n"
        + lines().map(row -> line(row, widths)).collect(Collectors.joining("\n", "", "\n"));
  }

  private Stream<List<String>> lines() {
    return Stream.concat(Stream.of(headings), rows.stream());
  }

  private static String line(List<String> cells, int[] widths) {
    return IntStream.range(0, widths.length)
        .mapToObj(
            c -> {
              String pad = " ".repeat(widths[c] - cells.get(c).length());
              return c == 0 ? cells.get(c) + pad : pad + cells.get(c);
            })
        .collect(Collectors.joining("  "))
        .stripTrailing();
  }
}
