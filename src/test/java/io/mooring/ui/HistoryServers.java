package io.mooring.ui;

import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.apache.spark.SecurityManager;
import org.apache.spark.SparkConf;
import org.apache.spark.deploy.history.FsHistoryProvider;
import org.apache.spark.deploy.history.HistoryServer;
import org.apache.spark.deploy.history.HistoryServer$;

/** A history server over a folder of event logs, until it is closed. */
final class HistoryServers implements AutoCloseable {
  private final HistoryServer server;

  HistoryServers(Path logs, Map<String, String> settings) {
    SparkConf conf = new SparkConf(false);
    conf.set("spark.history.fs.logDirectory", logs.toUri().toString());
    conf.set("spark.history.fs.update.interval", "1s");
    settings.forEach(conf::set);
    FsHistoryProvider provider = new FsHistoryProvider(conf);
    SecurityManager security = HistoryServer$.MODULE$.createSecurityManager(conf);
    server = new HistoryServer(conf, provider, security, 0);
    server.bind();
    provider.start();
  }

  /**
   * Waits for an application. Asking for one that is not listed yet would make the server look for
   * its log in vain, and remember that.
   */
  void awaitListed(String application) {
    String list = "http://localhost:" + server.boundPort() + "/api/v1/applications";
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> Web.get(list).contains("\"" + application + "\""));
  }

  /** Where the tab of an application is. */
  String tab(String application) {
    return of(application) + "mooring/";
  }

  /** Where its first page is. */
  String jobs(String application) {
    return of(application) + "jobs/";
  }

  private String of(String application) {
    return "http://localhost:" + server.boundPort() + "/history/" + application + "/";
  }

  @Override
  public void close() {
    server.stop();
  }
}
