package io.mooring.benchmarks.scan;

import io.mooring.benchmarks.cli.ByteSize;
import io.mooring.benchmarks.cli.HarnessHome;
import io.mooring.benchmarks.cli.UserError;
import io.mooring.benchmarks.data.StoreSalesFolder;
import io.mooring.benchmarks.data.SuiteFolder;
import io.mooring.benchmarks.query.QuerySelection;
import io.mooring.benchmarks.query.SqlText;
import io.mooring.benchmarks.query.Suite;
import io.mooring.benchmarks.store.StoreShape;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
      names = "--suite",
      paramLabel = "NAME",
      defaultValue = "store_sales",
      description =
          "store_sales: one table; tpch or tpcds: the standard tables and queries"
              + " (default: ${DEFAULT-VALUE}).")
  String suite;

  @Option(
      names = "--scale",
      paramLabel = "N",
      defaultValue = "1",
      description = "Scale factor of tpch or tpcds, such as 0.1 or 10 (default: ${DEFAULT-VALUE}).")
  BigDecimal scale;

  @Option(
      names = "--data-dir",
      paramLabel = "DIR",
      description =
          "Where generated files are kept and found again"
              + " (default: <benchmarks>/target/data/<suite>-<size>-<seed> or <suite>-<scale>)."
              + " tpch and tpcds take what lies there, a folder or .parquet file for each table.")
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
              + " for bands (q9) and those with a q (default: the first five; with --sql none); of"
              + " --suite tpch and tpcds q1, q2 and so on (default: all).")
  List<String> queries;

  @Option(
      names = "--sql",
      paramLabel = "FILE|TEXT",
      description =
          "Your own queries, parted by semicolons; a comment `-- NAME` before one names it."
              + " CREATE TEMPORARY VIEW makes a table for them. May be given several times.")
  List<String> sql = List.of();

  @Option(
      names = "--cache",
      paramLabel = "STATE",
      description =
          "warm, or cold: the files leave the page cache before each run (default: warm). Of"
              + " --store, cold gives them a new address before each run, so that no arm knows their"
              + " footers (default there).")
  String cache;

  @Option(
      names = "--store",
      paramLabel = "SHAPE",
      description =
          "Has every arm read the files through S3A from a store that is started here:"
              + " s3,LATENCY,BANDWIDTH[,BANDWIDTH], of a request, of a connection in a second and of"
              + " all of them, such as s3,30ms,60m.")
  String store;

  @Option(
      names = "--file-size",
      paramLabel = "SIZE",
      converter = ByteSize.Converter.class,
      description =
          "About how large each generated file of store_sales is, 300m at most (default: as many"
              + " files as suit the cores).")
  ByteSize fileSize;

  Suite suite() {
    return Suite.named(suite);
  }

  /** The queries to run. */
  QuerySelection choice() {
    return new QuerySelection(suite(), names(), statements());
  }

  private List<String> names() {
    if (queries == null) {
      return sql.isEmpty() ? suite().defaults() : List.of();
    }
    return suite().checkNames(queries);
  }

  private List<SqlText> statements() {
    List<SqlText> all = new ArrayList<>();
    sql.forEach(text -> all.addAll(SqlText.read(text, all.size())));
    return all;
  }

  /** How a store answers, where the files are read from one. */
  Optional<StoreShape> store() {
    return Optional.ofNullable(store).map(StoreShape::parse);
  }

  /** Whether each run reads files that no run before it has left in a cache. */
  boolean cold() {
    if (cache == null) {
      return store != null;
    }
    if (!cache.equals("warm") && !cache.equals("cold")) {
      throw UserError.usage("--cache must be warm or cold, not " + cache);
    }
    return cache.equals("cold");
  }

  /** The folder of the generated data set, which may not exist yet. */
  StoreSalesFolder storeSales(int cores) {
    StoreSalesFolder folder = new StoreSalesFolder(folder(), generate, seed, cores);
    return fileSize == null ? folder : folder.withFilesOf(fileSize);
  }

  /** The folder of a standard suite's tables, which may not exist yet. */
  SuiteFolder standard(int cores) {
    return new SuiteFolder(folder(), suite(), scale, cores);
  }

  /** Refuses a scale that is none. */
  void checkScale() {
    if (scale.signum() <= 0) {
      throw UserError.usage("--scale must be above 0, not " + scale.toPlainString());
    }
  }

  private Path folder() {
    String files = fileSize == null ? "" : "-in-" + fileSize.text();
    String name =
        suite().isStandard()
            ? suite + "-" + scale.stripTrailingZeros().toPlainString()
            : suite + "-" + generate.text() + files + "-" + seed;
    Path folder =
        dataDir != null ? dataDir : HarnessHome.folder().resolve("target/data").resolve(name);
    return folder.toAbsolutePath().normalize();
  }
}
