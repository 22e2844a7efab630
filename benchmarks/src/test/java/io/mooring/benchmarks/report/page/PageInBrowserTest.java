package io.mooring.benchmarks.report.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.mooring.benchmarks.cli.HarnessHome;
import io.mooring.benchmarks.report.Report;
import io.mooring.benchmarks.report.ReportReader;
import io.mooring.benchmarks.report.Reports;
import io.mooring.benchmarks.report.chart.DotPlot;
import io.mooring.benchmarks.report.chart.LineChart;
import io.mooring.benchmarks.report.chart.ReportCharts;
import io.mooring.benchmarks.report.table.ReportTables;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The page as a reader sees it. */
class PageInBrowserTest {

  /** Clicks on the heading "GB/s" of the figures, once and again, and says what is there. */
  private static final String LOOK =
      """
      const section = [...document.querySelectorAll('section')].find(
          (s) => s.querySelector('h2').textContent === 'Figures');
      const heading = [...section.querySelectorAll('th')].find((h) => h.textContent === 'GB/s');
      const column = () => [...section.querySelectorAll('tbody tr')].map(
          (row) => row.cells[heading.cellIndex].textContent);
      const asDrawn = column();
      heading.querySelector('button').click();
      const ascending = column();
      heading.querySelector('button').click();
      const visible = (e) => e.getBoundingClientRect().width > 2;
      document.getElementById('facts').textContent = JSON.stringify({
        charts: [...document.querySelectorAll('figure > svg')].filter(visible).length,
        markers: [...document.querySelectorAll('figure > svg .marker')].filter(visible).length,
        tables: [...document.querySelectorAll('table')].filter(visible).length,
        dark: matchMedia('(prefers-color-scheme: dark)').matches,
        wider: document.documentElement.scrollWidth > innerWidth,
        requests: performance.getEntriesByType('resource').length,
        asDrawn, ascending, descending: column(), order: heading.ariaSort
      });
      """;

  /** Kept: processes of the browser may write into its profile when it has ended. */
  @TempDir(cleanup = CleanupMode.NEVER)
  private Path folder;

  private Browser browser;

  @BeforeEach
  void findBrowser() {
    assumeTrue(Browser.find().isPresent(), "no Chromium on the PATH: the page is not looked at");
    browser = Browser.find().orElseThrow();
  }

  private static Report committed(String name) {
    return ReportReader.read(HarnessHome.folder().resolve("results").resolve(name));
  }

  @ParameterizedTest
  @CsvSource({
    "2026-11-21-scan, false",
    "2026-11-21-scan-tasks, true",
    "2026-11-21-pool, true",
    "2026-11-21-pool, false"
  })
  void chartsAndTablesAreSeenAndNothingIsFetched(String name, boolean dark) throws Exception {
    Report report = committed(name);
    Browser.Visit visit = browser.visit(new HtmlPage(report).html(), LOOK, dark, folder);
    assertThat(visit.console()).isEmpty();
    JsonNode facts = visit.facts();
    assertThat(facts.path("charts").asInt())
        .isEqualTo(new ReportCharts(report).all().size())
        .isPositive();
    assertThat(facts.path("markers").asInt()).isEqualTo(points(report));
    assertThat(facts.path("tables").asInt()).isEqualTo(1 + ReportTables.figures(report).size());
    assertThat(facts.path("dark").asBoolean()).isEqualTo(dark);
    assertThat(facts.path("wider").asBoolean()).as("scrolls sideways").isFalse();
    assertThat(facts.path("requests").asInt()).isZero();
    isPainted(visit.screenshot(), dark);
  }

  private static int points(Report report) {
    return new ReportCharts(report)
        .all().stream()
            .mapToInt(
                chart ->
                    chart instanceof DotPlot plot
                        ? plot.rows().size()
                        : ((LineChart) chart).points().size())
            .sum();
  }

  /** The paper is light or dark, and the marks of the first arm are in its colour. */
  private static void isPainted(BufferedImage picture, boolean dark) {
    int paper = dark ? 0x1B1E23 : 0xFFFFFF;
    int firstArm = dark ? 0x4DA6E0 : 0x0072B2;
    assertThat(picture.getRGB(2, 2) & 0xFFFFFF).isEqualTo(paper);
    long marks =
        IntStream.range(0, picture.getWidth() * picture.getHeight())
            .map(i -> picture.getRGB(i % picture.getWidth(), i / picture.getWidth()) & 0xFFFFFF)
            .filter(colour -> colour == firstArm)
            .count();
    assertThat(marks).isGreaterThan(100);
  }

  @Test
  void aClickOnAHeadingSorts() throws Exception {
    JsonNode facts =
        browser
            .visit(new HtmlPage(committed("2026-11-21-scan")).html(), LOOK, false, folder)
            .facts();
    List<Double> drawn = figures(facts.path("asDrawn"));
    List<Double> sorted = drawn.stream().sorted().toList();
    assertThat(drawn).isNotEqualTo(sorted).hasSizeGreaterThan(10);
    assertThat(figures(facts.path("ascending"))).isEqualTo(sorted);
    assertThat(figures(facts.path("descending")).get(0)).isEqualTo(sorted.get(sorted.size() - 1));
    assertThat(facts.path("order").asText()).isEqualTo("descending");
  }

  private static List<Double> figures(JsonNode cells) {
    return StreamSupport.stream(cells.spliterator(), false)
        .map(cell -> Double.valueOf(cell.asText()))
        .toList();
  }

  @Test
  void theTestWouldHearOfErrorsAndRequests() throws IOException, InterruptedException {
    String planted =
        "document.getElementById('facts').textContent = '{}';"
            + "fetch('http://127.0.0.1:9/').catch(() => 0); missing();";
    Browser.Visit visit =
        browser.visit(new HtmlPage(Reports.report()).html(), planted, false, folder);
    assertThat(visit.console())
        .anyMatch(line -> line.contains("Content Security Policy"))
        .anyMatch(line -> line.contains("missing is not defined"));
  }
}
