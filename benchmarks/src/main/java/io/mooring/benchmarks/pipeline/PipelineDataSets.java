package io.mooring.benchmarks.pipeline;

import io.mooring.benchmarks.cli.HarnessHome;
import io.mooring.benchmarks.cli.UserError;
import io.mooring.benchmarks.data.InputFiles;
import io.mooring.benchmarks.data.StoreSalesFolder;
import io.mooring.benchmarks.env.Environment;
import io.mooring.benchmarks.worker.Reply;
import io.mooring.benchmarks.worker.SetupWorker;
import io.mooring.benchmarks.worker.WorkerProcess;
import io.mooring.benchmarks.worker.Workers;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The data sets: the user's, or generated ones that differ in one thing each. */
record PipelineDataSets(PipelineOptions options, Environment environment, Workers workers) {

  private static final List<String> NAMES = List.of("snappy", "tenths", "plain");
  private static final int TENTH = 10;

  /** Data files by the name of their set; generated now where they are not there yet. */
  Map<String, List<String>> files() {
    Map<String, List<String>> sets = new LinkedHashMap<>();
    if (options.data.isEmpty()) {
      generate(options.variants.stream().map(this::folder).toList());
      options.variants.forEach(name -> sets.put(name, paths(folder(name).path())));
    }
    for (String text : options.data) {
      int equals = text.indexOf('=');
      Path folder = Path.of(text.substring(equals + 1));
      String name = equals < 0 ? folder.getFileName().toString() : text.substring(0, equals);
      if (sets.put(name, paths(folder)) != null) {
        throw UserError.usage("--data names the set " + name + " twice");
      }
    }
    return sets;
  }

  private static List<String> paths(Path folder) {
    List<String> paths =
        InputFiles.dataFiles(folder)
            .map(file -> file.toAbsolutePath().normalize().toString())
            .sorted()
            .toList();
    if (paths.isEmpty()) {
      throw UserError.usage("no data files in " + folder);
    }
    return paths;
  }

  /** Generates all missing folders with one Spark session. */
  private void generate(List<StoreSalesFolder> folders) {
    List<StoreSalesFolder> missing = folders.stream().filter(f -> !f.isComplete()).toList();
    if (missing.isEmpty()) {
      return;
    }
    try (WorkerProcess worker =
        SetupWorker.open(workers, environment, "generate", Map.of(), List.of())) {
      for (StoreSalesFolder folder : missing) {
        System.err.println("Generating " + folder.size() + " of store_sales in " + folder.path());
        folder.generate(what -> worker.ask(what, Reply.Done.class));
      }
    }
  }

  private StoreSalesFolder folder(String name) {
    if (!NAMES.contains(name)) {
      throw UserError.usage("no variant '" + name + "'; the variants are " + NAMES);
    }
    String place = "pipeline-" + options.generate.text() + "-" + options.seed;
    Path parent =
        options.dataDir != null
            ? options.dataDir
            : HarnessHome.folder().resolve("target/data/" + place);
    Path path = parent.toAbsolutePath().normalize().resolve(name);
    StoreSalesFolder whole =
        new StoreSalesFolder(path, options.generate, options.seed, environment.cores());
    return switch (name) {
      case "tenths" -> whole.withRowsPerFile(Math.max(1, whole.wanted().rowsPerFile() / TENTH));
      case "plain" -> whole.withCodec("uncompressed");
      default -> whole;
    };
  }
}
