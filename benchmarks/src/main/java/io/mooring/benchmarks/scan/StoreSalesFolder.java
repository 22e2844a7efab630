package io.mooring.benchmarks.scan;

import io.mooring.benchmarks.cli.ByteSize;
import io.mooring.benchmarks.cli.UserError;
import io.mooring.benchmarks.report.Json;
import io.mooring.benchmarks.worker.Request;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * A folder with a generated data set: written beside its place, moved there when it is whole, and
 * used again when its marker says that it is the one asked for.
 *
 * @param path the folder
 * @param size about how large the files are together
 * @param seed of every value
 * @param cores processors of this machine: there are at least two files for each, where that leaves
 *     files worth reading
 * @param rows of a file; chosen by size and cores where it is empty
 * @param codec Parquet's name of the compression
 */
public record StoreSalesFolder(
    Path path, ByteSize size, long seed, int cores, OptionalInt rows, String codec) {

  /** What a finished folder holds; the file's name hides it from Spark. */
  public record Marker(int version, long sizeBytes, long seed, long rows, int rowsPerFile) {}

  private static final String MARKER = "_mooring-store-sales.json";
  private static final List<Integer> ROWS_PER_FILE =
      List.of(StoreSales.BLOCK_ROWS, 1_000_000, 500_000, 250_000, 100_000, 50_000, 25_000, 10_000);

  /** Snappy files of as many rows as suit the machine. */
  public StoreSalesFolder(Path path, ByteSize size, long seed, int cores) {
    this(path, size, seed, cores, OptionalInt.empty(), "snappy");
  }

  /** The same in files of so many rows. */
  public StoreSalesFolder withRowsPerFile(int rowsPerFile) {
    return new StoreSalesFolder(path, size, seed, cores, OptionalInt.of(rowsPerFile), codec);
  }

  /** The same, compressed otherwise. */
  public StoreSalesFolder withCodec(String other) {
    return new StoreSalesFolder(path, size, seed, cores, rows, other);
  }

  /** True when the folder holds the data set already; false when it has to be generated. */
  public boolean isComplete() {
    return read().filter(this::isWanted).isPresent();
  }

  /** Generates the data set with the given worker request. */
  public void generate(Consumer<Request.Generate> writer) {
    refuseForeignFolder();
    refuseFullDisk();
    Path partial = path.resolveSibling(path.getFileName() + ".partial");
    Marker marker = wanted();
    try {
      delete(partial);
      writer.accept(
          new Request.Generate(
              partial.toUri().toString(), marker.rows(), seed, marker.rowsPerFile(), codec));
      Json.REPORT.writeValue(partial.resolve(MARKER).toFile(), marker);
      delete(path);
      Files.move(partial, path);
    } catch (IOException e) {
      throw UserError.failure("cannot write the data to " + path + ": " + e.getMessage());
    }
  }

  /** The marker of the data set that is asked for. */
  public Marker wanted() {
    long all = Math.max(1000, size.bytes() / StoreSales.BYTES_PER_ROW);
    int smallest = ROWS_PER_FILE.get(ROWS_PER_FILE.size() - 1);
    int rowsPerFile =
        ROWS_PER_FILE.stream().filter(n -> all / n >= 2L * cores).findFirst().orElse(smallest);
    return new Marker(StoreSales.VERSION, size.bytes(), seed, all, rows.orElse(rowsPerFile));
  }

  private boolean isWanted(Marker found) {
    return found.version() == StoreSales.VERSION
        && found.sizeBytes() == size.bytes()
        && found.seed() == seed;
  }

  private Optional<Marker> read() {
    try {
      return Optional.of(
          Json.REPORT.readValue(Files.readAllBytes(path.resolve(MARKER)), Marker.class));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private void refuseForeignFolder() {
    if (read().isEmpty() && Files.exists(path)) {
      try (Stream<Path> inside = Files.list(path)) {
        if (inside.findAny().isPresent()) {
          throw UserError.usage(path + " holds something else; choose another --data-dir");
        }
      } catch (IOException e) {
        throw UserError.usage(path + " is not a folder; choose another --data-dir");
      }
    }
  }

  private void refuseFullDisk() {
    try {
      Files.createDirectories(path.toAbsolutePath().getParent());
      long free = Files.getFileStore(path.toAbsolutePath().getParent()).getUsableSpace();
      if (free < size.bytes() + size.bytes() / 10) {
        throw UserError.usage(
            "%s has %d MiB free, less than the data needs (--generate %s); choose another --data-dir"
                .formatted(path.getParent(), free >> 20, size));
      }
    } catch (IOException e) {
      throw UserError.usage("cannot write to " + path.getParent() + "; choose another --data-dir");
    }
  }

  private static void delete(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> inside = Files.walk(folder)) {
      for (Path path : inside.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }
}
