package io.mooring.benchmarks.report.chart;

import java.util.List;

/** A picture in a page: drawn as SVG by the browser, so that the machine needs no fonts. */
public sealed interface Chart permits LineChart, DotPlot {

  /** The title: what was measured. */
  String title();

  /** An SVG element whose colours come from the page's style sheet. */
  String svg(ArmStyles series);

  /** The arms that it shows, in the order of the legend. */
  List<String> arms();
}
