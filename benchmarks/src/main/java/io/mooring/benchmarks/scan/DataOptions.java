package io.mooring.benchmarks.scan;

import io.mooring.benchmarks.cli.ByteSize;
import io.mooring.benchmarks.cli.Home;
import io.mooring.benchmarks.cli.UserError;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** The options that say what is read, and by which queries. */
final class DataOptions {

  @Option(
      names = "--data",
      split = ",",
      paramLabel = "[TABLE=]DIR",
      description =
          "Your own Parquet files instead of generated ones, for --sql or in the shape of"
              + " store_sales, which is the table where none is named.")
  List<String> data = List.of();

  @Option(
      names = "--generate",
      paramLabel = "SIZE",
      defaultValue = "1g",
      converter = ByteSize.Converter.class,
      description = "Size of the generated files (default: ${DEFAULT-VALUE}).")
  ByteSize generate;

  @Option(
      names = "--data-dir",
      paramLabel = "DIR",
      description =
          "Where generated files are kept and found again"
              + " (default: <benchmarks>/target/data/store_sales-<size>-<seed>).")
  Path dataDir;

  @Option(
      names = "--seed",
      defaultValue = "42",
      description = "Seed of the generated values (default: ${DEFAULT-VALUE}).")
  long seed;

  @Option(
      names = "--queries",
      split = ",",
      paramLabel = "QUERY",
      description =
          "Queries to run, of filter, bands, sum, lookup, all, q2, q28, q31, q88, q95; tpcds stands"
              + " for bands (q9) and those with a q (default: the first five, or with --sql none).")
  List<String> queries;

  @Option(
      names = "--sql",
      paramLabel = "FILE|TEXT",
      description =
          "Your own queries, parted by semicolons; a comment `-- NAME` before one names it."
              + " May be given several times.")
  List<String> sql = List.of();

  @Option(
      names = "--cache",
      paramLabel = "STATE",
      defaultValue = "warm",
      description =
          "warm, or cold: the files leave the page cache before each run (default:"
              + " ${DEFAULT-VALUE}).")
  String cache;

  /** Names of the harness's own queries to run. */
  List<String> names() {
    if (queries == null) {
      return sql.isEmpty() ? ScanQueries.DEFAULT : List.of();
    }
    return ScanQueries.checkNames(queries);
  }

  /** The user's own queries. */
  List<SqlText> statements() {
    List<SqlText> all = new ArrayList<>();
    sql.forEach(given -> all.addAll(SqlText.read(given, all.size())));
    return all;
  }

  /** Whether the files leave the page cache before each run. */
  boolean cold() {
    if (!cache.equals("warm") && !cache.equals("cold")) {
      throw UserError.usage("--cache must be warm or cold, not " + cache);
    }
    return cache.equals("cold");
  }

  /** Where the generated data set is or will be. */
  StoreSalesFolder generated(int cores) {
    String name = "store_sales-" + generate.text() + "-" + seed;
    Path folder = dataDir != null ? dataDir : Home.folder().resolve("target/data").resolve(name);
    return new StoreSalesFolder(folder.toAbsolutePath().normalize(), generate, seed, cores);
  }
}
