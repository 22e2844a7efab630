package io.mooring.clients;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.commons.io.FileUtils;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Sessions of Spark Connect that bring code of their own, for which an executor makes class
 * loaders: they have to find the one GPU runtime of the process.
 */
@Tag("clients")
class ConnectArtifactsTest {
  @TempDir Path home;

  @Test
  @Timeout(300)
  void session_withArtifacts_startsNoSecondRuntime() throws Exception {
    int port = ClientHome.freePort();
    try (ClientHome shell =
        new ClientHome(
            home,
            Map.of(
                "spark.connect.grpc.binding.port", Integer.toString(port),
                "spark.master", "local-cluster[1,2,1400]",
                "spark.executor.memory", "1300m",
                "spark.mooring.pinnedPool.fallback.maxSize", "64m"))) {
      String server = ClientsPage.section("Spark Connect").blocks("bash").get(0);
      server = server.replace("pinnedPool.size=8g", "pinnedPool.size=64m");
      shell.startServer(server, port);
      assertThat(shell.run("client", "python3", program(port)))
          .contains("BatchScan mooring", "rows: 96");
      assertThat(executorLog(ClientHome.read(shell.log("server"))).lines())
          .filteredOn(line -> line.contains(" GpuRuntime: "))
          .hasSize(1);
    }
  }

  private static String program(int port) {
    return """
           import zipfile
           from pyspark.sql import SparkSession
           spark = SparkSession.builder.remote("sc://localhost:%d").getOrCreate()
           zipfile.ZipFile("own.jar", "w").writestr("own.txt", "own")
           spark.addArtifacts("own.jar")
           spark.range(100).write.parquet("table")
           query = spark.read.parquet("table").filter("id > 3")
           query.explain()
           print("rows:", query.count())
           """
        .formatted(port);
  }

  /** What the executor logged, in the folder where workers of a local cluster run it. */
  private static String executorLog(String serverLog) throws IOException {
    Matcher application = Pattern.compile("app-\\d{14}-\\d{4}").matcher(serverLog);
    assertThat(application.find()).as(serverLog).isTrue();
    Path folder = ClientHome.sparkJars().resolveSibling("work").resolve(application.group());
    String log = Files.readString(folder.resolve("0/stderr"));
    FileUtils.deleteDirectory(folder.toFile());
    return log;
  }
}
