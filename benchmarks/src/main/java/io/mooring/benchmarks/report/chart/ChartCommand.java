package io.mooring.benchmarks.report.chart;

import io.mooring.benchmarks.cli.Commas;
import io.mooring.benchmarks.cli.IoErrorText;
import io.mooring.benchmarks.cli.Suggestion;
import io.mooring.benchmarks.cli.UserError;
import io.mooring.benchmarks.report.Report;
import io.mooring.benchmarks.report.ReportReader;
import io.mooring.benchmarks.report.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Draws a {@link QueryTimesChart} for a page of the documentation. */
@Command(
    name = "chart",
    description = "Draws the times of the queries of some reports as one SVG file.",
    footer = "A report is a folder with a report.json, or that file, of any version.",
    mixinStandardHelpOptions = true,
    sortOptions = false)
public final class ChartCommand implements Callable<Integer> {

  private static final Map<String, String> LABELS =
      Map.of(
          "pool", "Mooring",
          "no-pool", "Mooring without pinned memory",
          "peer", "RAPIDS Accelerator",
          "spark-cpu", "Spark on the CPU");

  @Parameters(
      paramLabel = "REPORT",
      arity = "1..*",
      description = "Reports to draw; a query that several have is taken from the first.")
  private List<Path> reports = List.of();

  @Option(names = "--out", paramLabel = "FILE", required = true, description = "The SVG file.")
  private Path out;

  @Option(
      names = "--arms",
      split = Commas.OUTSIDE_BRACKETS,
      splitSynopsisLabel = ",",
      paramLabel = "ARM",
      description =
          "Arms to draw; the others are compared with the first (default: those of"
              + " pool, peer and spark-cpu that the reports have).")
  private List<String> arms = List.of();

  @Option(
      names = "--label",
      paramLabel = "NAME=TEXT",
      description = "What to call a query or an arm in the chart; repeatable.")
  private Map<String, String> labels = Map.of();

  @Override
  public Integer call() {
    Map<String, Report> read = new LinkedHashMap<>();
    reports.forEach(path -> read.put(name(path), ReportReader.read(path)));
    QueryTimesChart chart = chart(read);
    try {
      Files.writeString(out, chart.svg());
    } catch (IOException e) {
      throw UserError.failure("cannot write " + out + ": " + IoErrorText.of(e));
    }
    System.out.println("Chart: " + out);
    return 0;
  }

  private static String name(Path report) {
    Path folder = Files.isDirectory(report) ? report : report.toAbsolutePath().getParent();
    return folder.toAbsolutePath().normalize().getFileName().toString();
  }

  private QueryTimesChart chart(Map<String, Report> read) {
    List<String> drawn = arms(read);
    List<ChartSection> sections = new ArrayList<>();
    List<String> taken = new ArrayList<>();
    read.forEach(
        (name, report) -> {
          ChartSection section = ChartSection.of(name, report, drawn, taken);
          taken.addAll(section.queries().keySet());
          if (!section.queries().isEmpty()) {
            sections.add(section);
          }
        });
    if (sections.isEmpty()) {
      throw UserError.usage("no query of these reports was measured under two of " + drawn);
    }
    Map<String, String> texts = new HashMap<>(LABELS);
    texts.putAll(labels);
    return new QueryTimesChart(drawn, texts, sections);
  }

  private List<String> arms(Map<String, Report> read) {
    List<String> known =
        read.values().stream()
            .flatMap(report -> report.runs().stream().map(Run::arm))
            .distinct()
            .toList();
    for (String arm : arms) {
      if (!known.contains(arm)) {
        throw UserError.usage(Suggestion.unknown("arm", arm, known));
      }
    }
    return arms.isEmpty()
        ? List.of("pool", "peer", "spark-cpu").stream().filter(known::contains).toList()
        : arms;
  }
}
