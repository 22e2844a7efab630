package io.mooring.benchmarks.report.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.benchmarks.report.Reports;
import io.mooring.benchmarks.report.Run;
import io.mooring.benchmarks.report.Summary;
import io.mooring.benchmarks.report.page.HtmlPage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AllQueriesTest {

  private final List<Run> runs = new ArrayList<>();

  private void add(String query, String arm, double seconds, long rows) {
    add(query, arm, seconds, Map.of("numOutputRows", rows));
  }

  private void add(String query, String arm, double seconds, Map<String, Long> metrics) {
    runs.add(new Run(query, arm, 2, 1, 1, false, "cpu", seconds, 1, 0, "", metrics));
  }

  @Test
  void meansAreOfTheQueriesThatTwoArmsHaveInCommon() {
    add("q1", "pool", 1, 10);
    add("q2", "pool", 4, 20);
    add("q1", "spark-cpu", 4, 1000);
    add("q2", "spark-cpu", 4, 2000);
    add("q3", "spark-cpu", 32, 3000);
    Table means = QueryTables.geometricMeans(Summary.of(runs, "pool"));
    assertThat(means.headings()).endsWith("time / pool", "time / spark-cpu");
    assertThat(means.rows())
        .containsExactly(
            List.of("2", "pool", "2", "2.000", "5.000", "-", "0.500"),
            List.of("2", "spark-cpu", "3", "8.000", "40.000", "2.000", "-"));
    assertThat(ReportTables.console(Reports.of(runs, Summary.of(runs, "pool"))))
        .contains("geometric mean s", "time / spark-cpu");
  }

  @Test
  void rowsThatLeftTheScansStandBesideEachOther() throws IOException {
    add("q1", "pool", 1, 10);
    add("q1", "pool", 1, 12);
    add("q1", "spark-cpu", 1, 1000);
    add("q2", "spark-cpu", 1, 7);
    assertThat(QueryTables.outputRows(runs).rows())
        .containsExactly(List.of("q1", "12", "1000"), List.of("q2", "-", "7"));
    String page = new HtmlPage(Reports.of(runs, Summary.of(runs, "pool"))).html();
    assertThat(page).contains("rows out of scans and stages");
  }

  private void exchanges(String query, String arm, long shuffles, long broadcasts) {
    add(query, arm, 1, Map.of("shuffleExchanges", shuffles, "broadcastExchanges", broadcasts));
  }

  @Test
  void exchangesOfTheArmsStandBesideEachOther() throws IOException {
    exchanges("q1", "pool", 2, 0);
    exchanges("q1", "pool", 3, 0);
    exchanges("q1", "spark-cpu", 5, 1);
    exchanges("q2", "spark-cpu", 1, 4);
    Table table = QueryTables.exchanges(runs);
    assertThat(table.headings())
        .containsExactly(
            "exchanges",
            "pool, shuffles",
            "spark-cpu, shuffles",
            "pool, broadcasts",
            "spark-cpu, broadcasts");
    assertThat(table.rows())
        .containsExactly(List.of("q1", "3", "5", "0", "1"), List.of("q2", "-", "1", "-", "4"));
    String page = new HtmlPage(Reports.of(runs, Summary.of(runs, "pool"))).html();
    assertThat(page).contains("<h2>Exchanges</h2>", "pool, shuffles", "spark-cpu, broadcasts");
  }

  @Test
  void reportsWithoutExchangesAreDrawnWithoutTheirTable() throws IOException {
    add("q1", "pool", 1, 10);
    String page = new HtmlPage(Reports.of(runs, Summary.of(runs, "pool"))).html();
    assertThat(page).contains("<h2>Rows</h2>").doesNotContain("Exchanges");
  }
}
