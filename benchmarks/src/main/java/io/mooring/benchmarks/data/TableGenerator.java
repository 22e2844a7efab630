package io.mooring.benchmarks.data;

import io.mooring.benchmarks.cli.HarnessHome;
import io.mooring.benchmarks.cli.UserError;
import io.mooring.benchmarks.process.ExternalProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A public generator of a suite's tables, which pip fetches in a fixed version where it is needed
 * first. pip's own settings ({@code PIP_INDEX_URL}, {@code PIP_NO_INDEX}, {@code PIP_FIND_LINKS})
 * apply.
 *
 * @param packages with versions, as pip names them; the first names the folder
 */
public record TableGenerator(List<String> packages) {

  private static final TableGenerator TPCH = new TableGenerator(List.of("tpchgen-cli==4.0.0"));
  private static final TableGenerator TPCDS =
      new TableGenerator(List.of("duckdb==1.4.4", "duckdb-ext-tpcds==1.4.4.20260205"));

  /**
   * Writes the eight tables of TPC-H, a folder each.
   *
   * @param parts files of each large table
   */
  public static void writeTpch(String scale, int parts, Path folder) {
    Path program = TPCH.installed().resolve("bin/tpchgen-cli");
    List<String> options = List.of("--quiet", "--row-group-bytes=128MB", "-s", scale);
    List<String> command = new ArrayList<>(List.of(program.toString(), "parquet"));
    command.addAll(options);
    command.addAll(List.of("--parts", Integer.toString(parts), "-o", folder.toString()));
    TPCH.generate(command, Map.of());
  }

  /** Writes the 24 tables of TPC-DS, a folder each. */
  public static void writeTpcds(String scale, Path folder) {
    Path script = HarnessHome.folder().resolve("src/main/python/tpcds.py");
    TPCDS.generate(
        List.of("python3", script.toString(), scale, folder.toString()),
        Map.of("PYTHONPATH", TPCDS.installed().toString()));
  }

  private void generate(List<String> command, Map<String, String> environment) {
    if (!ExternalProgram.run(command, environment, log())) {
      throw UserError.failure(packages.get(0) + " failed; " + log() + " says why");
    }
  }

  /** The folder with the packages. */
  private Path installed() {
    Path folder = HarnessHome.folder().resolve("target/python").resolve(packages.get(0));
    if (Files.isDirectory(folder)) {
      return folder;
    }
    System.err.println("Fetching " + String.join(", ", packages) + " with pip");
    Path partial = folder.resolveSibling(folder.getFileName() + ".partial");
    List<String> command = new ArrayList<>(List.of("python3", "-m", "pip", "install", "--quiet"));
    command.addAll(List.of("--disable-pip-version-check", "--only-binary=:all:", "--upgrade"));
    command.addAll(List.of("--no-deps", "--target", partial.toString()));
    command.addAll(packages);
    if (!ExternalProgram.run(command, Map.of("PIP_ROOT_USER_ACTION", "ignore"), log())) {
      throw UserError.failure(
          "pip cannot get %s; %s says why. Without a network: PIP_NO_INDEX=1 PIP_FIND_LINKS=FOLDER"
                  .formatted(packages, log())
              + " with the wheels in it, or --data-dir with the tables, a folder each");
    }
    try {
      return Files.move(partial, folder);
    } catch (IOException e) {
      throw UserError.failure("cannot write " + folder + ": " + e.getMessage());
    }
  }

  private static Path log() {
    return HarnessHome.folder().resolve("target/generate.log");
  }
}
