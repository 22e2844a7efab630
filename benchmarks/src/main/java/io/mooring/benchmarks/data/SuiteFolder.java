package io.mooring.benchmarks.data;

import io.mooring.benchmarks.cli.ByteSize;
import io.mooring.benchmarks.cli.UserError;
import io.mooring.benchmarks.query.Suite;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The tables of TPC-H or TPC-DS: a folder with a folder, or a file {@code .parquet}, for each.
 *
 * @param path the outer folder
 * @param suite whose tables
 * @param scale factor as the specifications define it: about as many GB of text
 * @param cores processors of this machine: TPC-H gets a file of each large table for each
 */
public record SuiteFolder(Path path, Suite suite, BigDecimal scale, int cores) {

  /** The marker of a finished folder. */
  record Marker(int version, String suite, BigDecimal scale) {
    /** Makes 10 and 10.0 equal. */
    Marker {
      scale = scale.stripTrailingZeros();
    }
  }

  private static final String MARKER = "_mooring-suite.json";

  /** Raised whenever the same scale gives other files. */
  private static final int VERSION = 1;

  /** Disk space for a unit of scale: Parquet, and the database in which TPC-DS is generated. */
  private static final long BYTES_PER_SCALE = 800L << 20;

  private static final int MOST_PARTS_PER_SCALE = 50;
  private static final String PARQUET = ".parquet";

  /** True when the folder holds such tables already: from an earlier run, or the user's own. */
  public boolean isComplete() {
    return isGenerated() || isUsers();
  }

  /** True for tables that {@link #generate} has put there. */
  public boolean isGenerated() {
    return folder().holds(Marker.class, marker()::equals);
  }

  /** True for tables that another program has put there. */
  private boolean isUsers() {
    return folder().marker(Marker.class).isEmpty()
        && Files.isDirectory(path)
        && tablePaths().findAny().isPresent();
  }

  /** Runs the suite's generator. */
  public void generate() {
    folder()
        .fill(
            marker(),
            partial -> {
              String factor = scale.toPlainString();
              if (suite == Suite.TPCH) {
                TableGenerator.writeTpch(factor, parts(), partial);
              } else {
                TableGenerator.writeTpcds(factor, partial);
              }
            });
  }

  /** A file for each core, where that leaves files worth reading. */
  private int parts() {
    int most = scale.multiply(BigDecimal.valueOf(MOST_PARTS_PER_SCALE)).intValue();
    return Math.max(1, Math.min(cores, most));
  }

  /** The files of each table. */
  public Tables tables() {
    Map<String, InputFiles> files = new LinkedHashMap<>();
    tablePaths()
        .sorted()
        .forEach(
            table -> {
              String name = table.getFileName().toString().replace(PARQUET, "");
              files.put(name, InputFiles.in(table));
            });
    return new Tables(files);
  }

  private Stream<Path> tablePaths() {
    try (Stream<Path> inside = Files.list(path)) {
      List<Path> found = inside.filter(SuiteFolder::isTable).toList();
      return found.stream();
    } catch (IOException e) {
      throw UserError.usage("cannot read " + path + "; choose another --data-dir");
    }
  }

  private static boolean isTable(Path path) {
    String name = path.getFileName().toString();
    return !name.startsWith("_")
        && !name.startsWith(".")
        && (Files.isDirectory(path) || name.endsWith(PARQUET));
  }

  private Marker marker() {
    return new Marker(VERSION, suite.text(), scale);
  }

  private GeneratedFolder folder() {
    long bytes = scale.multiply(BigDecimal.valueOf(BYTES_PER_SCALE)).longValue();
    return new GeneratedFolder(path, ByteSize.ofBytes(Math.max(1, bytes)), MARKER);
  }
}
