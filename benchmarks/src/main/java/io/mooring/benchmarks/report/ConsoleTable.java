package io.mooring.benchmarks.report;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Prints a report's tables in columns: text to the left, figures to the right. */
public record ConsoleTable(Report report) {

  /** What was compared, else what was measured; then checks and notes. Each line is ended. */
  public String text() {
    StringBuilder text = new StringBuilder("\n");
    Map<String, Table> compared = Table.compared(report);
    for (Table table :
        (compared.isEmpty() ? Table.measured(report.summary()) : compared).values()) {
      append(text, table);
      text.append('\n');
    }
    for (Table table : Table.queries(report).values()) {
      append(text, table);
      text.append('\n');
    }
    Table stages = StageCells.table(report.runs());
    if (!stages.rows().isEmpty()) {
      append(text, stages);
      text.append('\n');
    }
    append(text, Table.checks(report.checks()));
    report.notes().forEach(note -> text.append("note: ").append(note).append('\n'));
    return text.toString();
  }

  private static void append(StringBuilder text, Table table) {
    int[] widths =
        IntStream.range(0, table.headings().size()).map(column -> width(table, column)).toArray();
    line(text, table.headings(), widths);
    table.rows().forEach(row -> line(text, row, widths));
  }

  private static int width(Table table, int column) {
    int widest = table.rows().stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
    return Math.max(widest, table.headings().get(column).length());
  }

  private static void line(StringBuilder text, List<String> cells, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      String cell = cells.get(i);
      String pad = " ".repeat(widths[i] - cell.length());
      line.append(Table.isFigure(cell) ? pad + cell : cell + pad).append("  ");
    }
    text.append(line.toString().stripTrailing()).append('\n');
  }
}
