package io.mooring.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.conf.ConfEntry;
import io.mooring.conf.MooringConf;
import io.mooring.testing.LogCapture;
import io.mooring.testing.Plans;
import io.mooring.testing.ScanResults;
import io.mooring.testing.Sessions;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.logging.log4j.Level;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a session sets, however wrong, ends no query. */
@Tag("extended")
class SessionConfTest {
  @TempDir static Path folder;

  private static SparkSession application;
  private static String path;

  @BeforeAll
  static void start() {
    application = Sessions.transparent(folder.resolve("warehouse"), Map.of());
    path = folder.resolve("table").toString();
    application.range(1000).selectExpr("id", "id % 7 as k").write().parquet(path);
  }

  @AfterAll
  static void stop() {
    application.stop();
  }

  private static Dataset<Row> query(SparkSession session) {
    return session.read().parquet(path).filter("id > 3").groupBy("k").sum("id");
  }

  @ParameterizedTest
  @CsvSource({
    "sql.enabled,maybe,true or false,true",
    "sql.mergeSubqueries,'',true or false,true",
    "sql.parquet.enabled,1,true or false,true",
    "sql.withoutGpu,perhaps,true or false,true",
    "sql.pushdown,sometimes,'one of auto, always, never',always",
    "sql.stages,on,'one of auto, always, never',always",
    "sql.replicatedJoins,on,'one of auto, always, never',auto",
    "sql.singleTaskAggregates,on,'one of auto, always, never',never",
    "scan.partitionSize,much,a size such as 8g,1g"
  })
  void aBadValueIsTheApplicationsWithOneWarning(
      String name, String value, String allowed, String otherwise) {
    SparkSession session = application.newSession();
    session.conf().set("spark.mooring." + name, value);
    try (LogCapture log = LogCapture.open()) {
      for (int i = 0; i < 2; i++) {
        ScanResults.assertSame(query(session), query(application));
        assertThat(Plans.ours(query(session))).hasSize(1);
      }
      List<String> expected =
          List.of(
              String.format(
                  "'%s' in spark.mooring.%s is invalid: must be %s. This session goes on with %s",
                  value, name, allowed, otherwise));
      // Without a GPU nobody asks for the size of a partition of Mooring's.
      assertThat(log.messages(Level.WARN)).isEqualTo(isAsked(name, session) ? expected : List.of());
    }
  }

  @Test
  void badValuesOfAllKeysEndNoQuery() {
    SparkSession session = application.newSession();
    List<ConfEntry<?>> keys =
        MooringConf.ENTRIES.stream()
            .filter(entry -> entry.applies() == ConfEntry.Applies.RUNTIME)
            .toList();
    assertThat(keys).hasSizeGreaterThan(10);
    for (ConfEntry<?> key : keys) {
      session.conf().set(key.key(), "neither fish nor fowl");
    }
    ScanResults.assertSame(query(session), query(application));
    session.range(1000).createOrReplaceTempView("numbers");
    assertThat(session.sql("select count(*) from numbers where id % 3 = 1").first().getLong(0))
        .isEqualTo(333);
  }

  private static boolean isAsked(String name, SparkSession session) {
    return !name.equals("scan.partitionSize") || new GpuAvailability(session).expected();
  }

  @Test
  void wordsMayBeInUpperCase() {
    SparkSession session = application.newSession();
    session.sql("SET spark.mooring.sql.pushdown=NEVER");
    try (LogCapture log = LogCapture.open()) {
      String plan = query(session).queryExecution().executedPlan().toString();
      assertThat(plan).contains("MooringScan", "Filter (");
      assertThat(log.messages(Level.WARN)).isEmpty();
    }
  }

  @Test
  void keysThatNobodyReadsAreToldOnceForEachSession() {
    for (int i = 0; i < 2; i++) {
      SparkSession session = application.newSession();
      session.sql("SET spark.mooring.sql.pushDown=never");
      session.sql("SET spark.mooring.pinnedPool.size=8");
      try (LogCapture log = LogCapture.open()) {
        query(session).collect();
        query(session).collect();
        assertThat(log.messages(Level.WARN))
            .containsExactlyInAnyOrder(
                "spark.mooring.sql.pushDown is not a setting of Mooring; did you mean"
                    + " spark.mooring.sql.pushdown?",
                "spark.mooring.pinnedPool.size is read when the application starts: set in a"
                    + " session, it has no effect");
      }
    }
  }

  @Test
  void whatTheApplicationHasSetIsNotTold() {
    try (LogCapture log = LogCapture.open()) {
      query(application.newSession()).collect();
      assertThat(log.messages(Level.WARN)).isEmpty();
    }
  }
}
