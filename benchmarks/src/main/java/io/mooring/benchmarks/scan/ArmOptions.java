package io.mooring.benchmarks.scan;

import io.mooring.benchmarks.cli.ByteSize;
import io.mooring.benchmarks.cli.Commas;
import io.mooring.benchmarks.cli.HarnessHome;
import io.mooring.benchmarks.cli.UserError;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The options that say what is compared. */
final class ArmOptions {

  private static final List<String> DEFAULT = List.of(Arm.BASE, "cudf-default", Arm.POOL);

  @Option(
      names = "--arms",
      split = Commas.OUTSIDE_BRACKETS,
      splitSynopsisLabel = ",",
      paramLabel = "ARM",
      description =
          "Configurations to compare, of no-pool, cudf-default, pool, pool:SIZE, pinned-memory-pool,"
              + " pinned-memory-pool:SIZE, spark-cpu, peer, peer-multithreaded, peer-default;"
              + " ARM+KEY=VALUE sets a Spark setting for one of them (keys without spark. are"
              + " Mooring's); an arm named twice runs twice (default: no-pool,cudf-default,pool; without"
              + " a GPU spark-cpu).")
  List<String> arms;

  @Option(
      names = "--pool-size",
      split = ",",
      paramLabel = "SIZE",
      defaultValue = "auto",
      converter = ByteSize.PoolConverter.class,
      description =
          "spark.mooring.pinnedPool.size of the arms pool and pinned-memory-pool; several make an arm"
              + " of each"
              + " (default: ${DEFAULT-VALUE}).")
  List<String> poolSizes;

  @Option(
      names = "--conf",
      paramLabel = "KEY=VALUE",
      description = "A Spark setting for every arm; may be given several times.")
  Map<String, String> conf = new LinkedHashMap<>();

  @Option(
      names = "--peer-jar",
      paramLabel = "FILE",
      description =
          "The RAPIDS Accelerator's jar for the arms peer, peer-multithreaded, peer-default.")
  Path peerJar;

  @Option(
      names = "--jars",
      split = ",",
      paramLabel = "FILE",
      description =
          "Jars that every arm has on its class path, such as those of Delta Lake or Iceberg.")
  List<Path> jars = List.of();

  /** The arms asked for, with what they need at hand. */
  List<Arm> parse() {
    List<Arm> parsed = new Arms(poolSizes).parse(arms == null ? DEFAULT : arms);
    if (HarnessHome.jar().isEmpty() && parsed.stream().anyMatch(Arm::usesPlugin)) {
      throw UserError.usage(
          "no Mooring jar: start through benchmarks/run, or name one in MOORING_JAR");
    }
    if (parsed.stream().anyMatch(arm -> arm.kind() == Arm.Kind.PEER)) {
      requirePeer();
    }
    jars().forEach(jar -> requireReadable("--jars", jar));
    return parsed;
  }

  /** True when nobody has chosen arms. */
  boolean areDefault() {
    return arms == null;
  }

  /** The peer's jar, if one was given. */
  Optional<Path> peerJar() {
    return Optional.ofNullable(peerJar);
  }

  /** The user's jars, by paths that hold in every folder. */
  List<Path> jars() {
    return jars.stream().map(jar -> jar.toAbsolutePath().normalize()).toList();
  }

  private void requirePeer() {
    if (peerJar == null) {
      throw UserError.usage(
          "the arm peer needs --peer-jar FILE, the RAPIDS Accelerator's jar for your Scala and CUDA"
              + " (com.nvidia:rapids-4-spark_2.13:26.08.1:cuda13); it is not fetched for you");
    }
    requireReadable("--peer-jar", peerJar);
  }

  private static void requireReadable(String option, Path jar) {
    if (!Files.isReadable(jar)) {
      throw UserError.usage("cannot read " + jar + "; choose another " + option);
    }
  }
}
