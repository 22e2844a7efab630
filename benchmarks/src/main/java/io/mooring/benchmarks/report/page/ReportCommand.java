package io.mooring.benchmarks.report.page;

import io.mooring.benchmarks.report.Report;
import io.mooring.benchmarks.report.table.ReportTables;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Draws runs.csv and report.html again from the report.json of this or an earlier version. */
@Command(
    name = "report",
    description = "Writes runs.csv and report.html again from the report.json of a folder.",
    mixinStandardHelpOptions = true)
public final class ReportCommand implements Callable<Integer> {

  @Parameters(paramLabel = "FOLDER", description = "Folder with a report.json.")
  private Path folder;

  @Override
  public Integer call() {
    ReportFolder reports = new ReportFolder(folder);
    Report report = reports.read();
    reports.draw(report);
    System.out.println(ReportTables.console(report));
    return 0;
  }
}
