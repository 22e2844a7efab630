package io.mooring.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mooring.datasource.PlannedScan;
import io.mooring.parquet.footer.Footer;
import io.mooring.parquet.footer.FooterCache;
import io.mooring.parquet.footer.UnreadableOnGpuException;
import io.mooring.parquet.source.FileBytes;
import io.mooring.parquet.source.IdleStreams;
import io.mooring.parquet.source.RequestCounts;
import io.mooring.parquet.source.UnitSources;
import io.mooring.parquet.unit.ScanCounters;
import io.mooring.scan.plan.FilePlan;
import io.mooring.scan.plan.FilePlanPrefetch;
import io.mooring.scan.plan.FilePlanner;
import io.mooring.scan.plan.ScanContext;
import io.mooring.scan.split.FileSplit;
import io.mooring.scan.task.ScanWork;
import io.mooring.stores.S3Server;
import io.mooring.stores.StoreFront.Request;
import io.mooring.testing.Sessions;
import java.util.List;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Queries with filters over small files in S3, which are read whole by one request. */
@Tag("stores")
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class S3SmallFilesTest {
  private static final int FILES = 60;
  private static final int FIRST_FILES = 16;
  private static final long FOOTER_GUESS = 64 << 10;
  // Some 2 KB that cannot be compressed by much.
  private static final String PAYLOAD =
      "array_join(transform(sequence(1, 60), i -> md5(id || ' ' || i)), '') p";

  @TempDir static java.nio.file.Path folder;
  private S3Server server;
  private SparkSession spark;

  @BeforeAll
  void start() throws Exception {
    server = new S3Server();
    spark = Sessions.transparent(folder.resolve("warehouse"), server.sparkSettings());
  }

  @AfterAll
  void stop() throws Exception {
    spark.stop();
    FileSystem.closeAll();
    server.close();
  }

  /** A table in the store, of a file for each partition of {@code rows}. */
  private String table(String name, Dataset<Row> rows) throws Exception {
    java.nio.file.Path local = folder.resolve(name);
    rows.write()
        // The writer looks at the size of a row group after 100 rows.
        .option("parquet.block.size", 1000)
        .option("parquet.bloom.filter.enabled", true)
        .option("parquet.bloom.filter.max.bytes", 1024)
        .parquet(local.toString());
    return "parquet.`" + server.put(local, name) + "`";
  }

  private static long bytesOf(Request request) {
    String[] ends = request.range().replace("bytes=", "").split("-");
    return Long.parseLong(ends[1]) - Long.parseLong(ends[0]) + 1;
  }

  /** The first files are read whole, later ones only if their statistics do not rule them out. */
  @Test
  void littleIsReadOfFilesThatStatisticsRuleOut() throws Exception {
    Dataset<Row> rows = spark.range(0, 100L * FILES, 1, FILES).selectExpr("id", PAYLOAD);
    Dataset<Row> query = spark.sql("select * from " + table("out", rows) + " where id < 0");
    List<FileSplit> splits = PlannedScan.splits(query);
    assertThat(splits).hasSize(FILES).allMatch(it -> it.file().length() > FOOTER_GUESS);
    FilePlanner planner = PlannedScan.planner(PlannedScan.context(query), new ScanCounters());
    server.front().takeRequests();
    for (FileSplit split : splits) {
      assertThat(planner.plan(split).units()).isEmpty();
      IdleStreams.close(split.file());
    }
    List<Request> requests =
        server.front().takeRequests().stream().filter(it -> it.method().equals("GET")).toList();
    assertThat(requests).hasSize(FILES);
    for (int i = 0; i < FIRST_FILES; i++) {
      assertThat(bytesOf(requests.get(i))).isEqualTo(splits.get(i).file().length());
    }
    // The first footer is guessed to be as large as the last one of another table.
    assertThat(requests.subList(FIRST_FILES + 1, FILES))
        .allSatisfy(it -> assertThat(bytesOf(it)).isEqualTo(FOOTER_GUESS));
  }

  /** Page indexes, dictionaries and Bloom filters are there with the footer. */
  @ParameterizedTest
  @ValueSource(strings = {"d = 'd5x'", "b = 'ax'", "d = 'd5'"})
  void rowGroupsAreRuledOutWithoutFurtherRequests(String condition) throws Exception {
    Dataset<Row> rows =
        spark.range(0, 1200, 1, 1).selectExpr("concat('d', id % 10) d", "md5(string(id)) b");
    String table = table("groups-" + condition.hashCode(), rows);
    Dataset<Row> query = spark.sql("select * from " + table + " where " + condition);
    FilePlanner planner = PlannedScan.planner(PlannedScan.context(query), new ScanCounters());
    FileSplit split = PlannedScan.splits(query).get(0);
    server.front().takeRequests();
    assertThat(planner.plan(split).units().isEmpty()).isEqualTo(condition.endsWith("x'"));
    assertThat(server.front().takeRequests()).hasSize(1);
  }

  /** With the footer alone it would take one request for its state, and one for its data. */
  @Test
  void aFileIsReadWholeAgainWhereItsFooterIsKnown() throws Exception {
    Dataset<Row> rows = spark.range(0, 100, 1, 1).selectExpr("id", "id * 7 v");
    Dataset<Row> query = spark.sql("select * from " + table("again", rows) + " where v > 5");
    ScanContext context = PlannedScan.context(query);
    FilePlanner planner = PlannedScan.planner(context, new ScanCounters());
    FileSplit split = PlannedScan.splits(query).get(0);
    byte[] thrift = known(split, context).thrift();
    server.front().takeRequests();
    FilePlan plan = planner.plan(split);
    assertThat(plan.units()).hasSize(1);
    assertThat(plan.units().get(0).footer().thrift()).isEqualTo(thrift);
    assertThat(UnitSources.areOnHeap(List.of(split.file()))).isTrue();
    assertThat(server.front().takeRequests()).hasSize(1);
  }

  @Test
  void aFileThatIsReadWholeAgainMayBeAnother() throws Exception {
    Dataset<Row> rows = spark.range(0, 100, 1, 1).selectExpr("id", "id * 7 v");
    Dataset<Row> others = spark.range(0, 100, 1, 1).selectExpr("id", "id * 7 w");
    Dataset<Row> query = spark.sql("select id from " + table("replaced", rows));
    Dataset<Row> other = spark.sql("select id from " + table("replacing", others));
    ScanContext context = PlannedScan.context(query);
    FileSplit split = PlannedScan.splits(query).get(0);
    FileSplit replacing = PlannedScan.splits(other).get(0);
    assertThat(replacing.file().length()).isEqualTo(split.file().length());
    byte[] before = known(split, context).thrift();
    byte[] after = known(replacing, context).thrift();
    assertThat(after).isNotEqualTo(before);
    String name = new Path(split.file().path()).getName();
    server.put("replaced/" + name, bytes(replacing, context));
    FilePlan plan = PlannedScan.planner(context, new ScanCounters()).plan(split);
    IdleStreams.close(split.file());
    assertThat(plan.units().get(0).footer().thrift()).isEqualTo(after);
    assertThat(known(split, context).thrift()).isEqualTo(before);
  }

  /** Nothing of the file would be read, and so nothing would tell that its footer is an old one. */
  @ParameterizedTest
  @ValueSource(strings = {"select 1 from %s", "select v from %s where v < 0"})
  void aReplacedFileIsNotPlannedByItsOldFooter(String text) throws Exception {
    String name = "old" + text.length();
    Dataset<Row> rows = spark.range(0, 40_000, 1, 1).selectExpr("id v", "md5(string(id)) p");
    Dataset<Row> query = spark.sql(text.formatted(table(name, rows)));
    ScanContext context = PlannedScan.context(query);
    FilePlanner planner = PlannedScan.planner(context, new ScanCounters());
    FileSplit split = PlannedScan.splits(query).get(0);
    known(split, context);
    server.front().takeRequests();
    assertThat(planner.plan(split).readsNothing()).isTrue();
    assertThat(server.front().takeRequests()).hasSize(1);
    Dataset<Row> more = spark.range(-9, 50_000, 1, 1).selectExpr("id v", "md5(string(id)) p");
    FileSplit replacing =
        PlannedScan.splits(spark.sql("select v from " + table(name + "-new", more))).get(0);
    try (FileBytes in =
        FileBytes.open(replacing.file(), context.configuration(), RequestCounts.NONE)) {
      byte[] bytes = in.read(0, (int) replacing.file().length());
      server.put(name + "/" + new Path(split.file().path()).getName(), bytes);
    }
    assertThatThrownBy(() -> planner.plan(split))
        .isInstanceOf(UnreadableOnGpuException.class)
        .hasMessage("it is no longer the file whose footer was read");
  }

  @Test
  void plansThatAreGivenUpLeaveNothingBehind() throws Exception {
    Dataset<Row> rows = spark.range(0, FILES, 1, FILES).selectExpr("id", "id * 7 v");
    Dataset<Row> query = spark.sql("select * from " + table("given-up", rows));
    ScanContext context = PlannedScan.context(query);
    FilePlanner planner = PlannedScan.planner(context, new ScanCounters());
    List<FileSplit> splits = PlannedScan.splits(query);
    server.front().takeRequests();
    FilePlanPrefetch plans = new FilePlanPrefetch(planner, splits, context.configuration());
    plans.of(splits.get(0));
    plans.giveUp();
    int requests = -1;
    while (requests < 0 || !server.front().takeRequests().isEmpty()) {
      requests = 0;
      Thread.sleep(500);
    }
    assertThat(UnitSources.areOnHeap(List.of(splits.get(0).file()))).isTrue();
    IdleStreams.close(splits.get(0).file());
    assertThat(splits).noneMatch(split -> UnitSources.areOnHeap(List.of(split.file())));
  }

  private static byte[] bytes(FileSplit split, ScanContext context) throws Exception {
    return FileBytes.whole(split.file(), context.configuration(), RequestCounts.NONE);
  }

  /** The footer of a file, once it is cached: not at once, as the file has just been written. */
  private static Footer known(FileSplit split, ScanContext context) throws Exception {
    Footer last = null;
    while (true) {
      Footer next = FooterCache.shared().footer(split.file(), context.configuration());
      if (next == last) {
        return next;
      }
      last = next;
      Thread.sleep(100);
    }
  }

  /** Late materialization would read files twice that are there already. */
  @ParameterizedTest
  @CsvSource({"100, Decode", "2000, DecodeLate"})
  void allColumnsOfSmallFilesAreDecodedAtOnce(int rowsOfAFile, String expected) throws Exception {
    Dataset<Row> rows = spark.range(0, rowsOfAFile, 1, 1).selectExpr("hash(id) h", PAYLOAD);
    String table = table("late-" + rowsOfAFile, rows);
    Dataset<Row> query = spark.sql("select * from " + table + " where h % 7 = 3");
    List<ScanWork> work = PlannedScan.work(query);
    PlannedScan.splits(query).forEach(split -> IdleStreams.close(split.file()));
    assertThat(work).hasSize(1);
    assertThat(work.get(0).getClass().getSimpleName()).isEqualTo(expected);
  }
}
