package io.mooring.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.conf.MooringVersion;
import io.mooring.testing.RequiresGpu;
import io.mooring.testing.SparkHomes;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What users see of Mooring in processes of spark-submit with the logging that Spark comes with.
 */
@Tag("extended")
@Tag("forked")
@Timeout(240)
class StatusLogTest {
  private static final String ON = "WARN MooringPlugin: Mooring " + MooringVersion.get() + " is on";
  private static final String OFF =
      "WARN MooringPlugin: Mooring " + MooringVersion.get() + " is off";

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"shell", "submit"})
  void oneLineTellsWhetherMooringIsOn(String kind) throws Exception {
    SparkHomes.link(name -> true);
    List<String> lines = run(kind, List.of());
    List<String> status = lines.stream().filter(it -> it.contains("MooringPlugin: ")).toList();
    if (RequiresGpu.Condition.gpuIsThere()) {
      assertThat(status).hasSize(2);
      assertThat(status.get(0))
          .contains(ON + ": GPU 0", "pinned pool of 64 MiB, cudf " + MooringVersion.cudf());
      assertThat(status.get(1)).contains("WARN MooringPlugin: Mooring's advice: ");
    } else {
      assertThat(status.get(0))
          .contains(OFF + ", Spark's own reader reads Parquet: there is no usable GPU (");
      assertThat(status.stream().filter(it -> !it.contains(" INFO "))).hasSize(1);
      assertThat(lines)
          .anyMatch(it -> it.contains("FileScan parquet (not Mooring: there is no usable GPU ("));
    }
    // A shell shows Mooring's own INFO as little as Spark's.
    assertThat(lines.stream().anyMatch(it -> it.contains(" INFO ")))
        .isEqualTo(kind.equals("submit"));
  }

  @Test
  void aMissingCudfIsToldWithoutAGpuToo() throws Exception {
    SparkHomes.link(name -> !name.startsWith("cudf"));
    List<String> lines = run("shell", List.of());
    String reason = "there is no cudf on the class path; add the jar of ai.rapids:cudf:";
    assertThat(lines).anyMatch(it -> it.contains(OFF) && it.contains(reason));
    assertThat(lines).anyMatch(it -> it.contains("ERROR GpuRuntime: ") && it.contains(reason));
    assertThat(lines)
        .anyMatch(it -> it.contains("(not Mooring: there is no cudf on the class path"));
  }

  @Test
  void whatSwitchesMooringOffIsNamed() throws Exception {
    SparkHomes.link(name -> true);
    assertThat(run("shell", List.of("--conf", "spark.mooring.enabled=false")))
        .filteredOn(it -> it.contains("MooringPlugin: "))
        .singleElement()
        .asString()
        .endsWith(OFF + ": spark.mooring.enabled is false");
  }

  /** The lines of both outputs of an application that has to succeed. */
  private List<String> run(String kind, List<String> options) throws Exception {
    Path output = folder.resolve("output");
    List<String> command =
        new ArrayList<>(List.of(ProcessHandle.current().info().command().orElseThrow()));
    command.addAll(jvmOptions());
    // Not the tests' class path, which has a configuration of the log.
    command.addAll(List.of("-cp", System.getenv("SPARK_HOME") + "/jars/*"));
    command.addAll(List.of("org.apache.spark.deploy.SparkSubmit", "--master", "local[1]"));
    command.addAll(
        List.of("--jars", SparkHomes.mooring(folder).toString(), "--class", main().getName()));
    command.addAll(List.of("--conf", "spark.plugins=" + MooringPlugin.class.getName()));
    command.addAll(List.of("--conf", "spark.mooring.pinnedPool.size=64m"));
    command.addAll(List.of("--conf", "spark.ui.enabled=false"));
    command.addAll(options);
    command.addAll(List.of(application().toString(), kind, folder.resolve("table").toString()));
    Process process =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertThat(process.waitFor(200, TimeUnit.SECONDS)).as("it ends").isTrue();
    } finally {
      process.destroyForcibly();
    }
    List<String> lines = Files.readAllLines(output);
    assertThat(process.exitValue()).as(() -> String.join("\n", lines)).isZero();
    assertThat(lines).contains("rows: 96");
    return lines;
  }

  /** The options of this JVM that open modules to Spark. */
  private static List<String> jvmOptions() {
    return Stream.concat(
            Stream.of("-XX:TieredStopAtLevel=1", "-Xmx1g"),
            java.lang.management.ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(it -> it.startsWith("--add-opens") || it.contains("tmpdir")))
        .toList();
  }

  private static Class<?> main() {
    return StatusApplication.class;
  }

  private Path application() throws Exception {
    String name = main().getName().replace('.', '/') + ".class";
    Path file = folder.resolve("application").resolve(name);
    Files.createDirectories(file.getParent());
    try (InputStream in = main().getClassLoader().getResourceAsStream(name)) {
      Files.copy(in, file);
    }
    return SparkHomes.jar(folder.resolve("application"), folder.resolve("application.jar"));
  }
}
