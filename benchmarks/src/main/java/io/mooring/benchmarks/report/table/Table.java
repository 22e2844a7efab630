package io.mooring.benchmarks.report.table;

import java.util.List;
import java.util.stream.IntStream;

/**
 * Rows under headings, from which both the printed and the HTML table come.
 *
 * @param headings of the columns
 * @param rows from top to bottom, each with a cell for each heading
 */
public record Table(List<String> headings, List<List<String>> rows) {

  /** The table in columns: words to the left, figures to the right. Each line is ended. */
  public String text() {
    int[] widths = IntStream.range(0, headings.size()).map(this::width).toArray();
    StringBuilder text = new StringBuilder(line(headings, widths));
    rows.forEach(row -> text.append(line(row, widths)));
    return text.toString();
  }

  /** The table below an empty line and a title. */
  public String text(String title) {
    return "\n" + title + "\n" + text();
  }

  private int width(int column) {
    int widest = rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
    return Math.max(widest, headings.get(column).length());
  }

  private static String line(List<String> cells, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      String cell = cells.get(i);
      String pad = " ".repeat(widths[i] - cell.length());
      line.append(isFigure(cell) ? pad + cell : cell + pad).append("  ");
    }
    return line.toString().stripTrailing() + "\n";
  }

  /** Whether every cell of the column is a figure. */
  public boolean isOfFigures(int column) {
    return rows.stream().allMatch(row -> isFigure(row.get(column)));
  }

  /** Whether a cell holds a figure, or the dash that stands for a missing one. */
  public static boolean isFigure(String cell) {
    return cell.equals("-")
        || cell.startsWith("< ")
        || (!cell.isEmpty() && Character.isDigit(cell.charAt(0)));
  }
}
