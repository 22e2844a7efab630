package io.mooring.benchmarks.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.mooring.benchmarks.Benchmarks;
import io.mooring.benchmarks.report.Check;
import io.mooring.benchmarks.report.Report;
import io.mooring.benchmarks.report.Run;
import io.mooring.benchmarks.report.Summary;
import io.mooring.benchmarks.report.page.ReportFolder;
import io.mooring.benchmarks.store.StoreShape;
import io.mooring.benchmarks.store.StoreTraffic;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** {@code scan --store}: real workers that read through S3A; Maven fetches it at the first run. */
@EnabledIfSystemProperty(named = "mooring.benchmarks.scans", matches = "true")
class StoreScanTest {

  @TempDir private Path temporary;

  private Report scan(String more) {
    Path out = temporary.resolve("out");
    String arguments =
        "scan --tasks 2 --heap 1g --generate 4m --file-size 1m --data-dir %s --out %s %s"
            .formatted(temporary.resolve("data"), out, more);
    assertThat(Benchmarks.commandLine().execute(arguments.split(" "))).isZero();
    return new ReportFolder(out).read();
  }

  @Test
  void everyArmReadsEverythingFromTheStoreInEveryRun() throws Exception {
    Report report =
        scan("--store s3,5ms,200m --arms pool,spark-cpu --queries sum --rounds 2 --warmup 1");
    assertThat(report.runs()).hasSize(2 * 3).allSatisfy(StoreScanTest::assertReadWhole);
    assertThat(report.configuration()).containsEntry("store", "s3,5ms,200m");
    assertThat(report.notes()).noneMatch(note -> note.contains("page cache"));
    assertThat(Files.readString(temporary.resolve("out/report.html"))).contains("reads at a time");
  }

  /** Footers too: a run whose files were known from the run before would read less. */
  private static void assertReadWhole(Run run) {
    assertThat(run.metrics().get(StoreTraffic.BYTES)).isGreaterThan(run.bytes() * 99 / 100);
    assertThat(run.metrics().get(StoreTraffic.REQUESTS)).isGreaterThan(4);
    assertThat(run.metrics().get(StoreTraffic.MOST_AT_ONCE)).isPositive();
  }

  @Test
  void filesAreAsLargeAsIsAsked() {
    Report report = scan("--arms spark-cpu --queries sum --rounds 1 --warmup 0");
    assertThat(report.configuration()).containsEntry("files", 4).doesNotContainKey("store");
    assertThat(report.runs().get(0).metrics()).doesNotContainKey(StoreTraffic.REQUESTS);
  }

  private static Run run(String arm, String engine, double seconds) {
    return new Run("sum", arm, 16, 1, 1, false, engine, seconds, 1 << 30, 0, "", Map.of());
  }

  private static List<Check> checks(Run... runs) {
    List<Run> all = List.of(runs);
    List<Arm> arms =
        new Arms(List.of("auto"))
            .parse(List.of("pool+scan.storeRequests=32", "pool", "peer", "spark-cpu"));
    StoreShape shape = StoreShape.parse("s3,30ms,32m");
    return new StoreChecks(shape, Summary.of(all, "pool"), 16, arms).all();
  }

  @Test
  void targetsAreHeldAgainstTheStoreAndTheOthers() {
    String bounded = "pool+scan.storeRequests=32";
    Run ours = run("pool", "gpu", 1);
    Run peer = run("peer", "gpu", 1.5);
    assertThat(checks(run(bounded, "gpu", 1.25), ours, peer, run("spark-cpu", "cpu", 9)))
        .extracting(Check::name, Check::value, Check::bound, Check::verdict)
        .containsExactly(
            tuple(
                "sum: bytes a second of " + bounded + " / what 32 requests can bring",
                0.8,
                0.8,
                "holds"),
            tuple("sum: the peer's best / pool at 16 tasks", 1.5, 2.0, "fails"),
            tuple("sum: spark-cpu / pool at 16 tasks", 9.0, 5.0, "holds"));
    assertThat(checks(run(bounded, "cpu", 1), run("pool", "cpu", 1), run("spark-cpu", "cpu", 9)))
        .extracting(Check::verdict)
        .containsOnly("skipped");
  }

  @Test
  void thePeerAlwaysCopiesInLargePiecesThere() {
    List<Arm> arms = new ArrayList<>(new Arms(List.of("auto")).parse(List.of("peer")));
    assertThat(PeerSettings.ofStores("peer"))
        .containsEntry("spark.hadoop.parquet.read.allocation.size", "8388608");
    assertThat(PeerSettings.ofStores("peer-default+a=b")).isEmpty();
    assertThat(arms.get(0).conf())
        .containsEntry("spark.hadoop.parquet.read.allocation.size", "131072");
  }
}
