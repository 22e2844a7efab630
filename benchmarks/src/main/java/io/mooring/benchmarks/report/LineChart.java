package io.mooring.benchmarks.report;

import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import javax.imageio.ImageIO;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.XYStyler;

/**
 * One line per arm.
 *
 * @param title what was measured
 * @param x heading of the axis to the right
 * @param y heading of the axis upwards
 * @param logarithmic whether that axis is: for arms that lie orders of magnitude apart
 * @param points to draw
 */
record LineChart(String title, String x, String y, boolean logarithmic, List<Point> points) {

  /** A figure of one arm. */
  record Point(String arm, double x, double y) {}

  private static final int WIDTH = 620;
  private static final int HEIGHT = 360;
  private static final int SHARPNESS = 2;
  private static final Color[] SERIES = {
    new Color(0xD9, 0x5F, 0x02), new Color(0x75, 0x70, 0xB3), new Color(0x1B, 0x9E, 0x77),
    new Color(0xE7, 0x29, 0x8A), new Color(0x66, 0xA6, 0x1E), new Color(0xA6, 0x76, 0x1D)
  };

  /** The picture as PNG with twice the pixels that it is shown at, for a light or a dark page. */
  byte[] png(boolean dark) throws IOException {
    BufferedImage image =
        new BufferedImage(WIDTH * SHARPNESS, HEIGHT * SHARPNESS, BufferedImage.TYPE_INT_RGB);
    Graphics2D graphics = image.createGraphics();
    graphics.scale(SHARPNESS, SHARPNESS);
    chart(dark).paint(graphics, WIDTH, HEIGHT);
    graphics.dispose();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ImageIO.write(image, "png", out);
    return out.toByteArray();
  }

  private XYChart chart(boolean dark) {
    XYChart chart =
        new XYChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title(title)
            .xAxisTitle(x)
            .yAxisTitle(y)
            .build();
    style(chart.getStyler(), dark);
    points.stream().map(Point::arm).distinct().forEach(arm -> addSeries(chart, arm));
    return chart;
  }

  private void addSeries(XYChart chart, String arm) {
    List<Point> line = points.stream().filter(point -> point.arm().equals(arm)).toList();
    chart.addSeries(
        arm,
        line.stream().mapToDouble(Point::x).toArray(),
        line.stream().mapToDouble(Point::y).toArray());
  }

  private void style(XYStyler styler, boolean dark) {
    Color paper = dark ? new Color(0x1B, 0x1E, 0x23) : Color.WHITE;
    Color ink = dark ? new Color(0xE4, 0xE6, 0xEA) : new Color(0x22, 0x26, 0x2C);
    Color grid = dark ? new Color(0x3A, 0x3F, 0x47) : new Color(0xDD, 0xE0, 0xE4);
    styler.setSeriesColors(SERIES);
    styler.setChartBackgroundColor(paper);
    styler.setPlotBackgroundColor(paper);
    styler.setPlotBorderColor(grid);
    styler.setPlotGridLinesColor(grid);
    styler.setChartFontColor(ink);
    styler.setAxisTickLabelsColor(ink);
    styler.setXAxisTitleColor(ink);
    styler.setYAxisTitleColor(ink);
    styler.setAxisTickMarksColor(grid);
    styler.setLegendBackgroundColor(paper);
    styler.setLegendBorderColor(grid);
    styler.setLegendPosition(LegendPosition.OutsideE);
    styler.setYAxisLogarithmic(logarithmic);
    if (!logarithmic) {
      styler.setYAxisMin(0.0);
    }
    styler.setXAxisMin(0.0);
    styler.setXAxisDecimalPattern("0");
    styler.setYAxisDecimalPattern("0.##");
    styler.setMarkerSize(7);
  }
}
