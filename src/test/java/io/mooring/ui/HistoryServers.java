package io.mooring.ui;

import java.nio.file.Path;
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
    // Asking for a log before it is listed would be remembered as a rolled one.
    conf.set("spark.history.fs.update.onDemandEnabled", "false");
    settings.forEach(conf::set);
    FsHistoryProvider provider = new FsHistoryProvider(conf);
    SecurityManager security = HistoryServer$.MODULE$.createSecurityManager(conf);
    server = new HistoryServer(conf, provider, security, 0);
    server.bind();
    provider.start();
  }

  /** Where the tab of an application is. */
  String tab(String application) {
    return "http://localhost:" + server.boundPort() + "/history/" + application + "/mooring/";
  }

  @Override
  public void close() {
    server.stop();
  }
}
