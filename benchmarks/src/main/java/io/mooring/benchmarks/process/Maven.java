package io.mooring.benchmarks.process;

import io.mooring.benchmarks.cli.HarnessHome;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Goals of the harness's own pom, which fetch what only some options need. */
public final class Maven {

  private Maven() {}

  /**
   * Runs goals, with the user's {@code MAVEN_ARGS}.
   *
   * @param log to which everything that Maven says is appended
   * @return false when it failed
   */
  public static boolean run(Path log, String... goals) {
    List<String> command = new ArrayList<>(List.of("mvn", "-q", "-B"));
    String options = System.getenv().getOrDefault("MAVEN_ARGS", "").strip();
    if (!options.isEmpty()) {
      command.addAll(Arrays.asList(options.split("\\s+")));
    }
    command.addAll(List.of("-f", HarnessHome.folder().resolve("pom.xml").toString()));
    command.addAll(List.of(goals));
    return ExternalProgram.run(command, Map.of(), log);
  }
}
