package io.mooring.ui;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mooring.memory.HostBuffer;
import io.mooring.memory.HostMemory;
import io.mooring.memory.PinnedPool;
import io.mooring.memory.PoolSettings;
import io.mooring.metrics.PoolFigures;
import io.mooring.testing.LogCapture;
import io.mooring.testing.RequiresGpu;
import io.mooring.testing.Sessions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.logging.log4j.Level;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One application, seen in its live UI, its metrics, its event log and a history server. */
@Tag("forked")
class TabTest {
  private static final long MIB = 1L << 20;
  private static final String HOSTILE = "<script>alert('mooring')</script>";
  private static final String HOSTILE_COLUMN = "<script>x</script>";

  private enum Where {
    LIVE,
    HISTORY
  }

  @TempDir static Path folder;
  private static final Map<Where, String> PAGES = new HashMap<>();
  private static final Map<Where, String> DOMS = new HashMap<>();
  private static String prometheus;
  private static String eventLog;
  private static List<String> logged;

  @BeforeAll
  static void runAnApplicationAndReplayIt() throws Exception {
    try (LogCapture log = LogCapture.open()) {
      String application = runAnApplication();
      logged = log.messages(Level.INFO);
      replay(application);
    }
  }

  private static String runAnApplication() throws Exception {
    if (!RequiresGpu.Condition.gpuIsThere()) {
      startPlainPool();
    }
    SparkSession spark = Sessions.transparent(folder.resolve("warehouse"), settings());
    try {
      String tab = spark.sparkContext().uiWebUrl().get() + "/mooring/";
      work(spark);
      await().atMost(Duration.ofSeconds(30)).until(() -> isComplete(Web.get(tab)));
      see(Where.LIVE, tab);
      prometheus = Web.get(spark.sparkContext().uiWebUrl().get() + "/metrics/prometheus");
      return spark.sparkContext().applicationId();
    } finally {
      spark.stop();
    }
  }

  /** The last query, what fell back, and a second point of the chart are there. */
  private static boolean isComplete(String page) {
    return page.contains("not Mooring")
        && page.contains("<svg")
        && (RequiresGpu.Condition.gpuIsThere() || page.contains("of such splits"));
  }

  private static void startPlainPool() {
    PinnedPool.start(
        new PoolSettings(64 * MIB, 64 * MIB, 512 * MIB, Duration.ofSeconds(1), 1, -1, -1, false));
    assertThat(PinnedPool.awaitStarted(Duration.ofSeconds(30))).isTrue();
  }

  private static Map<String, String> settings() throws IOException {
    Files.createDirectories(folder.resolve("events"));
    Map<String, String> settings = new HashMap<>();
    settings.put("spark.app.name", "harbour");
    settings.put("spark.ui.enabled", "true");
    settings.put("spark.ui.port", "0");
    settings.put("spark.eventLog.enabled", "true");
    settings.put("spark.eventLog.compress", "false");
    settings.put("spark.eventLog.rolling.enabled", "false");
    settings.put("spark.eventLog.dir", folder.resolve("events").toUri().toString());
    settings.put("spark.mooring.ui.reportInterval", "50ms");
    settings.put("spark.mooring.pinnedPool.size", "64m");
    settings.put(
        "spark.metrics.conf.*.sink.prometheusServlet.class",
        "org.apache.spark.metrics.sink.PrometheusServlet");
    settings.put("spark.metrics.conf.*.sink.prometheusServlet.path", "/metrics/prometheus");
    return settings;
  }

  private static void work(SparkSession spark) throws InterruptedException {
    String path = folder.resolve("table").toString();
    spark
        .sql(
            "select id, cast(id % 7 as double) price, array(id) as `"
                + HOSTILE_COLUMN
                + "` from range(50000)")
        .write()
        .parquet(path);
    PinnedPool.awaitStarted(Duration.ofSeconds(30));
    takeBuffers();
    spark.sparkContext().setJobDescription(HOSTILE);
    spark.read().parquet(path).where("id > 100").selectExpr("sum(price)").collectAsList();
    spark.sparkContext().setJobDescription("arrays");
    spark.read().parquet(path).select(HOSTILE_COLUMN).collectAsList();
    spark.sparkContext().listenerBus().post(hostileExecutor());
  }

  /** More than the pool has, for long enough to be seen by several reports. */
  private static void takeBuffers() throws InterruptedException {
    try (HostBuffer small = HostMemory.allocate(20 * MIB);
        HostBuffer large = HostMemory.allocate(100 * MIB)) {
      assertThat(small.isPinned()).isTrue();
      assertThat(large.isPinned()).isFalse();
      Thread.sleep(200);
    }
  }

  private static ExecutorReport hostileExecutor() {
    return new ExecutorReport(
        HOSTILE, 1, "", HOSTILE, 0, PoolFigures.of(PinnedPool.stats()), List.of());
  }

  private static void replay(String application) throws Exception {
    try (Stream<Path> logs = Files.list(folder.resolve("events"))) {
      eventLog = Files.readString(logs.filter(Files::isRegularFile).findFirst().orElseThrow());
    }
    try (HistoryServers server = new HistoryServers(folder.resolve("events"), Map.of())) {
      String tab = server.tab(application);
      await()
          .atMost(Duration.ofSeconds(60))
          .ignoreExceptions()
          .until(() -> isComplete(Web.get(tab)));
      see(Where.HISTORY, tab);
    }
  }

  private static void see(Where where, String tab) throws Exception {
    PAGES.put(where, Web.get(tab));
    Optional<Browser> browser = Browser.find(folder);
    if (browser.isPresent()) {
      DOMS.put(where, browser.get().dom(tab));
      String images = System.getenv("MOORING_SCREENSHOTS");
      if (images != null) {
        browser
            .get()
            .screenshot(tab, Path.of(images, "tab-" + where.name().toLowerCase() + ".png"));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void thePoolOfEachExecutorIsShown(Where where) {
    assertThat(PAGES.get(where))
        .contains("Pool capacity", "64 MiB", "EXHAUSTED: 1, 100 MiB", "<svg", "NUMA node");
    if (!RequiresGpu.Condition.gpuIsThere()) {
      assertThat(PAGES.get(where)).contains("no GPU: there is no usable GPU (");
    }
  }
}
