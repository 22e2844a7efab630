package io.mooring.benchmarks.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.benchmarks.Benchmarks;
import io.mooring.benchmarks.report.Report;
import io.mooring.benchmarks.report.Run;
import io.mooring.benchmarks.report.page.ReportFolder;
import java.nio.file.Path;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * All queries of TPC-H and TPC-DS over small tables by Spark's CPU reader. The first run fetches
 * the generators and Spark's test jar: {@code mvn test -Dtest=StandardSuitesTest
 * -Dmooring.benchmarks.suites=true}.
 */
@EnabledIfSystemProperty(named = "mooring.benchmarks.suites", matches = "true")
class StandardSuitesTest {

  @TempDir private Path out;

  @ParameterizedTest
  @CsvSource({"tpch, 0.01, 22, lineitem", "tpcds, 0.01, 103, store_sales"})
  void everyQueryRuns(String suite, String scale, int queries, String table) {
    String arguments =
        "scan --suite %s --scale %s --tasks 2 --arms spark-cpu --rounds 1 --warmup 0 --heap 2g"
                .formatted(suite, scale)
            + " --conf spark.sql.shuffle.partitions=2 --out "
            + out;
    assertThat(Benchmarks.commandLine().execute(arguments.split(" "))).isZero();
    Report report = new ReportFolder(out).read();
    assertThat(report.notes()).noneMatch(note -> note.contains("left out"));
    assertThat(report.runs()).extracting(Run::query).hasSize(queries).doesNotHaveDuplicates();
    assertThat(report.runs())
        .allSatisfy(
            run ->
                assertThat(run.metrics())
                    .containsKeys("numOutputRows", "shuffleExchanges", "broadcastExchanges"));
    assertThat(report.configuration()).containsEntry("suite", suite);
    assertThat(report.configuration().get("tables").toString()).contains(table);
  }
}
