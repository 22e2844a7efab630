package io.mooring.ui;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mooring.cache.CacheStats;
import io.mooring.gpu.GpuRuntime;
import io.mooring.memory.HostBuffer;
import io.mooring.memory.HostMemory;
import io.mooring.memory.PinnedPool;
import io.mooring.memory.PoolSettings;
import io.mooring.metrics.PlanMetric;
import io.mooring.report.ExecutorReport;
import io.mooring.report.PoolSnapshot;
import io.mooring.testing.LogCapture;
import io.mooring.testing.RequiresGpu;
import io.mooring.testing.Sessions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;

/**
 * An application with a small pool, of which too much is asked, and with names that would like to
 * be markup; then a history server over its event log. Where there is no GPU the pool is of plain
 * memory. With MOORING_SCREENSHOTS the browser's pictures go into that folder.
 */
final class ApplicationRun {
  static final String HOSTILE = "<script>alert('mooring')</script>";
  static final String HOSTILE_COLUMN = "<script>x</script>";
  static final String HOSTILE_FOLDER = "<img src=x onerror=\"alert('m')\">&lt;";
  private static final long MIB = 1L << 20;

  /** Where the tab was seen. */
  enum Where {
    LIVE,
    HISTORY
  }

  private final Path folder;
  private final Path events;
  private final Map<Where, String> pages = new EnumMap<>(Where.class);
  private final Map<Where, String> doms = new EnumMap<>(Where.class);
  private String prometheus = "";
  private String eventLog = "";
  private String strangerPage = "";
  private List<String> logged = List.of();

  private ApplicationRun(Path folder) throws IOException {
    this.folder = folder;
    this.events = Files.createDirectories(folder.resolve("events"));
  }

  static ApplicationRun in(Path folder) throws Exception {
    ApplicationRun run = new ApplicationRun(folder);
    try (LogCapture log = LogCapture.open()) {
      String application = run.run();
      run.logged = log.status();
      run.replay(application);
    }
    return run;
  }

  String page(Where where) {
    return pages.get(where);
  }

  /** The page in a browser; empty where there is none. */
  Optional<String> dom(Where where) {
    return Optional.ofNullable(doms.get(where));
  }

  String prometheus() {
    return prometheus;
  }

  String eventLog() {
    return eventLog;
  }

  /** The same application in a history server that lacks the classes of our events. */
  String strangerPage() {
    return strangerPage;
  }

  List<String> logged() {
    return logged;
  }

  private String run() throws Exception {
    // Where there is a GPU, the plugin starts a pool for it.
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
    boolean gpu = RequiresGpu.Condition.gpuIsThere();
    String read = gpu ? PlanMetric.GPU_FILES.label() : "of such splits";
    return page.contains("not Mooring") && page.contains("<svg") && page.contains(read);
  }

  private static void startPlainPool() {
    PinnedPool.start(
        new PoolSettings(
            64 * MIB, 64 * MIB, 512 * MIB, Duration.ofSeconds(1), 1, -1, List.of(), false));
    assertThat(PinnedPool.awaitStarted(Duration.ofSeconds(30))).isTrue();
  }

  private Map<String, String> settings() {
    Map<String, String> settings = new HashMap<>();
    settings.put("spark.app.name", "harbour");
    settings.put("spark.ui.enabled", "true");
    settings.put("spark.ui.port", "0");
    settings.put("spark.eventLog.enabled", "true");
    settings.put("spark.eventLog.compress", "false");
    settings.put("spark.eventLog.rolling.enabled", "false");
    settings.put("spark.eventLog.dir", events.toUri().toString());
    settings.put("spark.mooring.ui.reportInterval", "50ms");
    settings.put("spark.mooring.pinnedPool.size", "64m");
    settings.put(
        "spark.metrics.conf.*.sink.prometheusServlet.class",
        "org.apache.spark.metrics.sink.PrometheusServlet");
    settings.put("spark.metrics.conf.*.sink.prometheusServlet.path", "/metrics/prometheus");
    return settings;
  }

  private void work(SparkSession spark) throws InterruptedException {
    String path = folder.resolve(HOSTILE_FOLDER).toString();
    spark
        .sql(
            "select id, cast(id % 7 as double) price, array(interval '1' day) as `"
                + HOSTILE_COLUMN
                + "` from range(50000)")
        .write()
        .parquet(path);
    if (GpuRuntime.current().orElseThrow().usable()) {
      assertThat(PinnedPool.awaitStarted(Duration.ofSeconds(30))).isTrue();
    }
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
        HOSTILE,
        1,
        "",
        HOSTILE,
        0,
        0,
        PoolSnapshot.of(PinnedPool.stats(), CacheStats.NONE),
        List.of());
  }

  private void replay(String application) throws Exception {
    try (Stream<Path> logs = Files.list(events)) {
      eventLog = Files.readString(logs.filter(Files::isRegularFile).findFirst().orElseThrow());
    }
    String stranger = "stranger-" + application;
    Files.writeString(
        events.resolve(stranger),
        eventLog
            .replace(application, stranger)
            .replace(ExecutorReport.class.getPackageName() + ".", "io.stranger."));
    try (HistoryServers server = new HistoryServers(events, Map.of())) {
      server.awaitListed(application);
      server.awaitListed(stranger);
      String tab = server.tab(application);
      see(Where.HISTORY, tab);
      strangerPage = Web.get(server.jobs(stranger));
    }
  }

  private void see(Where where, String tab) throws Exception {
    pages.put(where, Web.get(tab));
    Optional<Browser> browser = Browser.find(folder);
    if (browser.isPresent()) {
      doms.put(where, browser.get().dom(tab));
      String images = System.getenv("MOORING_SCREENSHOTS");
      if (images != null) {
        browser
            .get()
            .screenshot(
                tab, Path.of(images, "tab-" + where.name().toLowerCase(Locale.ROOT) + ".png"));
      }
    }
  }
}
