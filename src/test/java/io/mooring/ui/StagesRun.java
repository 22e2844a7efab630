package io.mooring.ui;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mooring.stage.replicated.ReplicatedTables;
import io.mooring.testing.Sessions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.types.DataTypes;

/**
 * An application of joins and aggregates in stages, whose tab is seen in the middle of a query and
 * at the end; then a history server over its event log. With MOORING_SCREENSHOTS a browser's
 * picture goes into that folder.
 */
final class StagesRun {
  static final String HOSTILE = "<b> over BatchScan ends below: ]";
  private static final String JOIN =
      "select o_priority, count(*) n from lineitem join orders on l_orderkey = o_orderkey"
          + " where l_partkey > 5 group by o_priority";
  // Static, because functions travel to tasks.
  private static final CountDownLatch AMID = new CountDownLatch(1);
  private static final CountDownLatch SEEN = new CountDownLatch(1);

  /** Where the tab was seen. */
  enum Where {
    LIVE,
    HISTORY
  }

  private final Path folder;
  private final Map<Where, TabRows> pages = new EnumMap<>(Where.class);
  private final TabRows amid;

  /**
   * @param folder for tables and the event log
   */
  StagesRun(Path folder) throws Exception {
    this.folder = folder;
    Path events = Files.createDirectories(folder.resolve("events"));
    SparkSession spark = Sessions.transparent(folder.resolve("warehouse"), settings(events));
    String application = spark.sparkContext().applicationId();
    try {
      ReplicatedTables.create(spark, folder);
      String tab = spark.sparkContext().uiWebUrl().get() + "/mooring/";
      queries(spark);
      amid = amidAQuery(spark, tab);
      pages.put(Where.LIVE, last(tab));
      photograph(tab);
    } finally {
      spark.stop();
    }
    try (HistoryServers server = new HistoryServers(events, Map.of())) {
      server.awaitListed(application);
      pages.put(Where.HISTORY, new TabRows(Web.get(server.tab(application))));
    }
  }

  /** When all queries had ended. */
  TabRows page(Where where) {
    return Objects.requireNonNull(pages.get(where));
  }

  /** While query "amid" ran. */
  TabRows amid() {
    return amid;
  }

  private static Map<String, String> settings(Path events) {
    Map<String, String> settings = new HashMap<>(ReplicatedTables.SETTINGS);
    settings.put("spark.mooring.sql.singleTaskAggregates", "auto");
    settings.put("spark.mooring.ui.reportInterval", "50ms");
    settings.put("spark.ui.enabled", "true");
    settings.put("spark.ui.port", "0");
    settings.put("spark.eventLog.enabled", "true");
    settings.put("spark.eventLog.compress", "false");
    settings.put("spark.eventLog.rolling.enabled", "false");
    settings.put("spark.eventLog.dir", events.toUri().toString());
    return settings;
  }

  private void queries(SparkSession spark) {
    for (String adaptive : List.of("true", "false")) {
      Sessions.with(
          spark,
          "spark.sql.adaptive.enabled",
          adaptive,
          () -> {
            run(spark, "joined, adaptive " + adaptive, JOIN);
            run(
                spark,
                "ended, adaptive " + adaptive,
                "select upper(x), count(*) from (select soundex(p_type) x"
                    + " from part where p_partkey + 1 > 5 and length(p_type) > 2) group by 1");
            Sessions.with(
                spark,
                "spark.mooring.sql.singleTaskAggregates",
                "always",
                () -> run(spark, "whole, adaptive " + adaptive, JOIN));
          });
    }
    String path = folder.resolve("hostile").toString();
    spark.range(100).selectExpr("id", "id `" + HOSTILE + "`").write().parquet(path);
    spark.read().parquet(path).createOrReplaceTempView("hostile");
    run(
        spark,
        "hostile",
        "select named_struct('"
            + HOSTILE
            + "', `"
            + HOSTILE
            + "`) s from hostile where `"
            + HOSTILE
            + "` * 2 > 4 and id % 3 > 0");
  }

  private static void run(SparkSession spark, String description, String query) {
    spark.sparkContext().setJobDescription(description);
    spark.sql(query).collectAsList();
  }

  /** The page while the second query stage of an adaptive query runs. */
  private static TabRows amidAQuery(SparkSession spark, String tab) throws Exception {
    UDF1<String, String> held =
        text -> {
          AMID.countDown();
          assertThat(SEEN.await(60, TimeUnit.SECONDS)).isTrue();
          return text;
        };
    spark.udf().register("held", held, DataTypes.StringType);
    CompletableFuture<Void> query =
        CompletableFuture.runAsync(
            () -> run(spark, "amid", "select held(o_priority), n from (" + JOIN + ")"));
    try {
      assertThat(AMID.await(60, TimeUnit.SECONDS)).isTrue();
      await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> new TabRows(Web.get(tab)).of("amid").toString().contains("builds: 1"));
      return new TabRows(Web.get(tab));
    } finally {
      SEEN.countDown();
      query.get(60, TimeUnit.SECONDS);
    }
  }

  private static TabRows last(String tab) throws Exception {
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> !Web.get(tab).contains("RUNNING") && !Web.get(tab).contains("not reported"));
    return new TabRows(Web.get(tab));
  }

  private void photograph(String tab) throws Exception {
    String images = System.getenv("MOORING_SCREENSHOTS");
    Optional<Browser> browser = Browser.find(folder);
    if (images != null && browser.isPresent()) {
      browser.get().screenshot(tab, Path.of(images, "stages.png"));
    }
  }
}
