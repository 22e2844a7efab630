package io.mooring.benchmarks.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.benchmarks.cli.ByteSize;
import io.mooring.benchmarks.worker.jvm.Worker;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkerCommandTest {

  private static final String PLUGIN =
      """
      package harmless;
      public class Plugin implements org.apache.spark.api.plugin.SparkPlugin {
        public org.apache.spark.api.plugin.DriverPlugin driverPlugin() {
          return new org.apache.spark.api.plugin.DriverPlugin() {
            public java.util.Map<String, String> init(
                org.apache.spark.SparkContext context, org.apache.spark.api.plugin.PluginContext p) {
              boolean ours = getClass().getClassLoader() == context.getClass().getClassLoader();
              context.conf().set("harmless.loader", ours ? "class path" : "jar");
              return java.util.Map.of();
            }
          };
        }
        public org.apache.spark.api.plugin.ExecutorPlugin executorPlugin() {
          return new org.apache.spark.api.plugin.ExecutorPlugin() {};
        }
      }
      """;

  @TempDir private Path temporary;
  private final WorkerCommand plain = WorkerCommand.plain(ByteSize.parse("1g"));

  private static String classPath(WorkerCommand command) {
    List<String> line = command.line();
    return line.get(line.indexOf("-cp") + 1);
  }

  @Test
  void aPlainWorkerHasOurClassPath() {
    assertThat(plain.line()).endsWith(Worker.class.getName()).contains("-Xmx1073741824");
    assertThat(classPath(plain)).isEqualTo(System.getProperty("java.class.path"));
  }

  @Test
  void thePeerIsSubmittedWithoutAnotherCudf() {
    WorkerCommand peer = plain.withJar(temporary.resolve("rapids.jar"));
    assertThat(String.join(" ", peer.line()))
        .endsWith(
            "org.apache.spark.deploy.SparkSubmit --master local[*] --class "
                + Worker.class.getName()
                + " --jars "
                + temporary.resolve("rapids.jar")
                + " spark-internal");
    assertThat(classPath(plain)).containsPattern("/cudf-[0-9][^/]*\\.jar");
    assertThat(classPath(peer).split(File.pathSeparator))
        .hasSize(classPath(plain).split(File.pathSeparator).length - 1)
        .noneMatch(entry -> entry.contains("/cudf-"));
  }

  @Test
  void jarsOfDataSourcesAreWhereThePeerIs() {
    List<Path> more = List.of(temporary.resolve("iceberg.jar"));
    assertThat(classPath(plain.withMore(more))).endsWith(File.pathSeparator + more.get(0));
    WorkerCommand peer = plain.withMore(more).withJar(temporary.resolve("rapids.jar"));
    assertThat(peer.line()).contains(temporary.resolve("rapids.jar") + "," + more.get(0));
    assertThat(classPath(peer)).doesNotContain("iceberg.jar");
  }

  @Test
  void aPluginComesOutOfASubmittedJar() throws IOException {
    Path jar = pluginJar();
    try (WorkerProcess worker =
        WorkerProcess.launch("submitted", plain.withJar(jar), temporary.resolve("logs"))) {
      worker.start(1, Map.of("spark.plugins", "harmless.Plugin", "spark.ui.enabled", "false"));
      Request ask = new Request.Query("SET harmless.loader", false);
      assertThat(worker.ask(ask, Reply.Result.class).rows())
          .containsExactly(List.of("harmless.loader", "jar"));
      readsParquet(worker);
    }
  }

  /** Reads as the arm of the peer does, with Spark's reader in its place. */
  private void readsParquet(WorkerProcess worker) {
    String folder = temporary.resolve("data").toUri().toString();
    worker.ask(new Request.Generate(folder, 700, 1, 1000, "snappy"), Reply.Done.class);
    worker.ask(new Request.Open("t", "parquet", List.of(folder)), Reply.Columns.class);
    Request.Query ask = new Request.Query("SELECT count(*), count(net_paid) FROM t", false);
    Reply.Result result = worker.ask(ask, Reply.Result.class);
    assertThat(result.rows()).hasToString("[[700, 700]]");
    assertThat(result.engine()).isEqualTo("cpu");
    assertThat(result.metrics()).containsEntry("numOutputRows", 700L);
    Reply.Result copies = worker.ask(new Request.Query(ask.sql(), false, 3), Reply.Result.class);
    assertThat(copies.rows()).hasToString("[[700, 700], [700, 700], [700, 700]]");
    assertThat(copies.metrics())
        .containsEntry("numOutputRows", 2_100L)
        .containsEntry("shuffleExchanges", result.metrics().get("shuffleExchanges"));
  }

  private Path pluginJar() throws IOException {
    Path source = Files.writeString(temporary.resolve("Plugin.java"), PLUGIN);
    int errors =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, "-d", temporary.toString(), "-proc:none", source.toString());
    assertThat(errors).isZero();
    Path jar = temporary.resolve("harmless.jar");
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file);
        var classes = Files.list(temporary.resolve("harmless"))) {
      for (Path path : classes.toList()) {
        out.putNextEntry(new JarEntry("harmless/" + path.getFileName()));
        Files.copy(path, out);
      }
    }
    return jar;
  }
}
